"""Tools that maintainers run outside the pipeline: they update sources, build wheels, time networks, check quotes."""
