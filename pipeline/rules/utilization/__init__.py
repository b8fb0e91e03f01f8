"""Utilization of a run: the default, and the prediction from similar measured cases (methods, sections 3 and 6)."""
