"""Pages of the site, one module each, found by folder.

`write` reads the ledger and writes a page's files. `finish` writes what needs every other page. `LINK` is the page's entry in
the navigation.
"""
