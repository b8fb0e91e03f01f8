"""Modules that every room may import: paths and files, downloads, and numbers, words and cells as text."""
