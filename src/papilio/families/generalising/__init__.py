"""Generalising rows by classes: what one table, recipients, projections and linked tables share."""
