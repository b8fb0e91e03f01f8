"""Tools that maintainers run outside the pipeline: they update sources, build wheels, fit errors, time networks and check quotes."""
