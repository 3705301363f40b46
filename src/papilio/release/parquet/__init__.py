"""Parquet files of strangers: what they say beside their rows, checked before a row is read."""
