"""Counts and times of real networks. Here: the audit, which sets the public FLOP counters beside a count made by hand."""
