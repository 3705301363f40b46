"""Exact quasi-identifiers beside permuted sensitive values."""
