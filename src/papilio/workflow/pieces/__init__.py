"""Tables that are published piece by piece, wherever their rows are."""
