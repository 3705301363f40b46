"""Hierarchies: trees over a column's values, one way of building them per file."""
