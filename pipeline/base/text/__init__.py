"""Show numbers, words and cells as text, in one form for commands, pages and files."""
