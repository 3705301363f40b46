"""Values dealt out inside groups: what permuted numbers and disguised distributions share."""
