"""Generalised cells: what they may be, and what a condition can be on them."""
