"""Answers to users: the account of a model or of a run as text, JSON or CSV, for the commands and the Python interface."""
