"""The seven families of releases: one folder each, with all that is special about it."""
