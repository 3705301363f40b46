"""Who may ask the server, and for what; one check per file."""
