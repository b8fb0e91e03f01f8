"""Tools that maintainers run outside the pipeline: update day, wheels, fitted errors, measuring, checks of quotes."""
