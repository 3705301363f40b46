"""Judging: an independent reader of releases.

Nothing here imports the methods, the kernels, the encoders or the hierarchies. Every check is
SQL on DuckDB over the released files, written from the definition of what is claimed.
"""
