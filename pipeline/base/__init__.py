"""Modules that every other package may import: paths and files, downloads, and numbers, words and cells as text."""
