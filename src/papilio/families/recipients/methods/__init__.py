"""One release for several recipients who know different columns."""
