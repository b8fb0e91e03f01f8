"""Families of networks, one per file. Records name a family by its file."""
