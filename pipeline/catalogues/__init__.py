"""Convert other people's tables of models into our records. Only this package accesses the network."""
