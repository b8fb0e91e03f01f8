"""A wheel with the ledger inside: what it holds beside the code, and how it is built."""
