"""Checks of records other than those of shape, which pydantic makes."""
