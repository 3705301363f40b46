"""One table for several recipients who know different columns."""
