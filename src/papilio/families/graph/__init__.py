"""Bipartite graphs whose links are hidden in groups."""
