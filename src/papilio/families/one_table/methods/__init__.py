"""Generalisation of one table: methods that divide its rows into classes."""
