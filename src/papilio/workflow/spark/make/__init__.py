"""A source in the engine to part files of a release; one family of methods per file."""
