"""Several sensitive columns: which of them go into one table."""
