"""Asking: SQL over a release, answered with bounds."""
