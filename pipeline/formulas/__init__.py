"""Arithmetic on whatever is passed: numbers, columns or expressions. Standard library only."""
