"""How a requirement is reached: one method per file."""
