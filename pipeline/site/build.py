"""Builds the site: every page and file into a folder that then takes the old one's place."""

import shutil
import sys
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from pipeline.base.paths import ROOT, alone_in
from pipeline.publishing import fingerprint
from pipeline.site import packing, pages, rules
from pipeline.site.ledger import Ledger, opened
from pipeline.site.page import FOLDER, NOWHERE, Place, Site

Part = Callable[[Site, Ledger], None]


def assets(site: Site, ledger: Ledger) -> None:
    """Styles and scripts."""
    for asset in sorted((FOLDER / "assets").iterdir()):
        site.bytes(f"assets/{asset.name}", asset.read_bytes())
    site.text("assets/site.css", site.font_face + (FOLDER / "assets/site.css").read_text(encoding="utf-8"))
    packing.write_vega(site)


def font(site: Site, ledger: Ledger) -> None:
    """The font of pages and charts; without it they have one of the machine that shows or draws them."""
    try:
        packing.write_font(site)
    except packing.PackageError as problem:
        print(f"the font is left out: {problem}", file=sys.stderr)


def database(site: Site, ledger: Ledger) -> None:
    """What SQL in the browser needs; a site without it is built where a package cannot be had, and says so."""
    try:
        packing.write_duckdb(site, (ledger.published / "ledger.duckdb").read_bytes())
    except packing.PackageError as problem:
        print(f"SQL and what-ifs are left out: {problem}", file=sys.stderr)
        return
    site.text("rules.sql", rules.as_text())
    site.script("data/rules.js", "rules", rules.for_browser(ledger))
    site.has_database = True


def data_docs(site: Site, ledger: Ledger) -> None:
    """The data docs of great_expectations, on the context that the release was checked in."""
    from schemas import expectations
    from schemas.errors import ContractError

    try:
        pages = expectations.data_docs(ledger.published.parents[1])
    except ContractError as problem:
        print(f"data docs are left out: {problem}", file=sys.stderr)
        return
    for name, text in pages.items():
        site.text(f"data_docs/{name}", text)
    site.has_data_docs = True


# The pages are found by folder; `finish`, where a page has it, follows when every page is written.
MODULES = [import_module(f"{pages.__name__}.{module.name}") for module in iter_modules(pages.__path__)]
NAVIGATION = sorted(module.LINK for module in MODULES if hasattr(module, "LINK"))
PAGES: tuple[Part, ...] = (
    assets,
    *(module.write for module in MODULES if hasattr(module, "write")),
    *(module.finish for module in MODULES if hasattr(module, "finish")),
)
ALL: tuple[Part, ...] = (font, database, data_docs, *PAGES)


class OutputError(Exception):
    """A folder that is not replaced; one line with the reason."""


def check_output(out: Path) -> None:
    """Raises OutputError where `out` is there and is neither an empty folder nor a site: what it holds would be deleted."""
    if out.is_symlink() or (out.exists() and not out.is_dir()):
        raise OutputError(f"{out}: is no folder; name another one")
    if out.is_dir() and any(out.iterdir()) and not (out / "assets" / "site.css").is_file():
        raise OutputError(f"{out}: holds files and is no site, and would be replaced; name another folder")


def build(out: Path, place: Place = NOWHERE, root: Path = ROOT, parts: Iterable[Part] = ALL) -> None:
    """Writes the site of what is published under `root` into `out`; waits for another build there.

    Raises database.DatabaseError where nothing is published, and OutputError.
    """
    check_output(out)
    beside = out.with_name(f"{out.name}.new")
    out.parent.mkdir(parents=True, exist_ok=True)
    with alone_in(out.parent):
        shutil.rmtree(beside, ignore_errors=True)
        try:
            with opened(root) as ledger:
                if changed := fingerprint.changed(ledger.connection, root):
                    print(fingerprint.remark(changed), file=sys.stderr)
                site = Site(beside, place, ledger.version, NAVIGATION)
                for part in parts:
                    part(site, ledger)
            shutil.rmtree(out, ignore_errors=True)
            beside.rename(out)
        finally:
            shutil.rmtree(beside, ignore_errors=True)
