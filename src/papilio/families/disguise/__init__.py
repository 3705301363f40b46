"""Sensitive values that follow a chosen distribution."""
