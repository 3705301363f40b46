"""Work that takes longer than a page may wait: in child processes, with progress and cancel."""
