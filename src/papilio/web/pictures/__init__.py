"""Small pictures as SVG text; all text in them is escaped."""
