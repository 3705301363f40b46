"""Permutation: exact quasi-identifiers, the sensitive column permuted inside groups."""
