"""What maintainers run around the pipeline: the update day, wheels, the fit of errors, measuring, checks of quotes."""
