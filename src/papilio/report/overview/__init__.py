"""A release at a glance, as plain data with drawings: what pages show; one kind per file."""
