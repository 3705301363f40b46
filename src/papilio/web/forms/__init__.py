"""What forms show of a policy, and what they write back: plain data, no page."""
