"""Editing a hierarchy by hand: groups made, named, moved; plain data, no page."""
