"""Families of networks, one file each, with its name in records."""
