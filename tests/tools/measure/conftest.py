"""pytest looks for doctests in every file; files that need torch are read only if it is installed."""

from importlib.util import find_spec

collect_ignore_glob = [] if find_spec("torch") else ["torch_*.py", "*/torch_*.py"]
