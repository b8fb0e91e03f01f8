"""Utilization: the default of a run, and the prediction from similar measured cases (methods, sections 3 and 6)."""
