"""Reading tables, one kind of source per file."""
