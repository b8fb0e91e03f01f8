"""Pages of the site: one module a kind of page, whose `write` reads the ledger and writes its files."""
