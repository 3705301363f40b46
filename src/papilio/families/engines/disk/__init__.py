"""Rows that lie on disk, read and dealt out piece by piece."""
