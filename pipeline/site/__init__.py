"""The public site, made only from the published tables: pages, machine-readable files, charts, and the ledger's database in the browser.

It opens from a folder, from `python -m http.server` and from any static host. Pages request nothing from other hosts.
"""
