"""The site's pages, one module each. The build finds them by listing this folder.

`write` reads the ledger and writes a page's files. `finish` writes whatever needs every other page. `LINK` is the page's
entry in the navigation.
"""
