"""The pictures of the report: Altair specifications turned into SVG, one picture per file."""
