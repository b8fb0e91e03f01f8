"""Reads published tables of training runs, a module a source, into tables of measured runs (`python -m pipeline.catalogues.run_tables`)."""
