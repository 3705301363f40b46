"""People with rows in linked tables."""
