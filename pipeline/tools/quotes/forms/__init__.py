"""Readers of publications, one module per format. Each takes text or bytes, and returns a document."""
