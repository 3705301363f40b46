"""Rewriting: one aggregate per file, from what a release tells to SQL for its bounds."""
