"""The command line, one file per command. Only `pipeline.cli` and the Python interface import from here."""
