"""The owner's report: plain data to one self-contained HTML file."""
