"""The site's pages, one module each. The build finds them by listing this folder.

`write` reads the ledger and writes a page's files. `finish`, which runs last, writes whatever depends on
all other pages. `LINK` is the page's entry in the navigation.
"""
