"""Asking a released graph: aggregates over entities and edges, answered with bounds."""
