"""Check a record's quotes against its publications: read a file's text with its places, and look the quotes up in it.

Strangers' files are read in a child process with limits of time and memory (`child`).
"""
