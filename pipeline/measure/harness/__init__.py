"""The measuring harness: times networks on this machine, counts their operations and writes a measurement record."""
