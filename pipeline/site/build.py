"""Builds the site: every page and file into a folder that then takes the old one's place."""

import shutil
from collections.abc import Callable
from pathlib import Path

from pipeline.paths import ROOT
from pipeline.site import packing
from pipeline.site.ledger import Ledger, opened
from pipeline.site.page import FOLDER, NOWHERE, Place, Site
from pipeline.site.pages import chips, first, models, search

PARTS: tuple[Callable[[Site, Ledger], None], ...] = (first.write, models.write, chips.write, search.write)


def build(out: Path, place: Place = NOWHERE, root: Path = ROOT) -> None:
    """Writes the site of what is published under `root` into `out`. Raises database.DatabaseError where nothing is published."""
    beside = out.with_name(f"{out.name}.new")
    shutil.rmtree(beside, ignore_errors=True)
    try:
        with opened(root) as ledger:
            write(Site(beside, place, ledger.version), ledger)
        shutil.rmtree(out, ignore_errors=True)
        beside.rename(out)
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def write(site: Site, ledger: Ledger) -> None:
    """Writes all pages and files of a ledger."""
    for asset in sorted((FOLDER / "assets").iterdir()):
        site.bytes(f"assets/{asset.name}", asset.read_bytes())
    packing.write_vega(site)
    for part in PARTS:
        part(site, ledger)
