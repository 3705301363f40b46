"""Rows that lie on Apache Spark: counted there, planned here, dealt out there."""
