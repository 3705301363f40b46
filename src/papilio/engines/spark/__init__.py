"""Spark Connect: a distributed engine, or one that is started beside Papilio."""
