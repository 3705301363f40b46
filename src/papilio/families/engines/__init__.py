"""What families need on engines that never hold a table at once: pieces on disk, and Spark."""
