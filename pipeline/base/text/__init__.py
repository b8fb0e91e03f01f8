"""Numbers, words and cells as text, once for commands, pages and files."""
