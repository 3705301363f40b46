"""What goes out: the published tables and the public manifest. Nothing else."""
