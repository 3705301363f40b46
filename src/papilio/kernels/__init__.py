"""Numba kernels: arrays in, arrays out; no Python objects, no randomness."""
