"""Readers for publications, one file per format. Each takes text or bytes, and returns passages with places."""
