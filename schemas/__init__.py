"""The contract between rooms: columns, words, units, records and tables."""
