"""One machine, more rows than memory: streamed, cut into pieces on disk, finished in turn."""
