"""Answers to users: accounts of models and runs as text, JSON or CSV, for commands and the Python interface."""
