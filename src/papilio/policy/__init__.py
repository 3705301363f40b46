"""The order: what is published, for whom, under which requirements, by which method."""
