"""Asking linked tables."""
