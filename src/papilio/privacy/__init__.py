"""What is demanded: one requirement per file, definitions only, no search."""
