"""One contract a table, one table a file."""
