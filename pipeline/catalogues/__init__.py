"""Convert other people's tables of models into our records."""
