"""A table from which anyone learns only a distribution the owner chose."""
