"""What we have: tables, their columns and roles, hierarchies, and how they are read."""
