"""Parts of the documentation that come from the code: one page or picture per file."""
