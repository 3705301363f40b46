"""What child processes do for the pages; one verb per file, each with a function of its name."""
