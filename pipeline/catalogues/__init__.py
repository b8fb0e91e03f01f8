"""Tables of models by others, converted into our records. Only this package accesses the network."""
