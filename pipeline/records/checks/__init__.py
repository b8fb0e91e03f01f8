"""Checks of records beyond their shape, which pydantic checks."""
