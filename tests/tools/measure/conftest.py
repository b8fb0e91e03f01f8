"""Doctests are looked for in every file: those that need torch are read only where it is installed."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("torch") else ["torch_*.py", "*/torch_*.py"]
