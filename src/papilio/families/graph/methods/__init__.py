"""Methods for bipartite graphs."""
