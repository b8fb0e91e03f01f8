"""Check a record's quotes against its publications: read files as text with places, and look up the quotes in that text.

Publications may come from strangers, so a child process reads them within time and memory limits (`child`).
"""
