"""People with linked tables."""
