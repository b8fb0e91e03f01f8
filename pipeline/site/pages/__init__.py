"""Pages of the site, a module each, found by folder.

`write` reads the ledger and writes a page's files, `finish` what needs every other page; `LINK` is its place in the
navigation.
"""
