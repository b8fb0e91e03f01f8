"""Other people's model tables, read into our records; the only room that opens a socket."""
