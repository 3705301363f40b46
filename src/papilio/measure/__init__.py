"""What a release loses and what a table gives away: one measure per file."""
