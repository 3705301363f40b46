"""Simulated attacks: what someone could learn from a release; one attack per file."""
