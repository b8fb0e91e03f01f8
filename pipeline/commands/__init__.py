"""The commands, one file each. Only `pipeline.cli` and the Python interface import from here."""
