"""The public site, made from the published tables only: pages, machine-readable files, charts, and the ledger's database in the browser.

It opens from a folder, from `flopledger serve` and from any static host. No page requests anything from another host.
"""
