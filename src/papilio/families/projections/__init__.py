"""Many sensitive columns, published in disjoint tables."""
