"""Publishing and verifying with a Spark engine."""
