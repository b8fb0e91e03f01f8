"""Check the quotes of a record against its publications: read files as text with places, and look up the quotes in the text.

Publications may come from strangers, so a child process reads them within limits of time and memory (`child`).
"""
