"""Find the models that people mean by a name."""
