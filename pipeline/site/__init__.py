"""The public site, made from the published tables alone: pages, machine-readable files, charts, and the ledger's database in the browser.

It opens from a folder, from `flopledger serve` and from any static host; no page asks another host for anything.
"""
