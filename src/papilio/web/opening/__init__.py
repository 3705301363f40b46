"""Ways to begin a project; one per file."""
