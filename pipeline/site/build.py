"""Build the site: write every page and file into a new folder, which then replaces the old one."""

import shutil
import sys
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from pipeline.base.paths import ROOT, alone_in
from pipeline.publishing import fingerprint
from pipeline.site import packing, pages
from pipeline.site.ledger import Ledger, open_ledger
from pipeline.site.page import FOLDER, NOWHERE, Place, Site

Part = Callable[[Site, Ledger], None]


def assets(site: Site, ledger: Ledger) -> None:
    """Write the styles and scripts."""
    for asset in sorted((FOLDER / "assets").iterdir()):
        site.bytes(f"assets/{asset.name}", asset.read_bytes())
    site.text("assets/site.css", site.font_face + (FOLDER / "assets/site.css").read_text(encoding="utf-8"))
    packing.write_vega(site)


def font(site: Site, ledger: Ledger) -> None:
    """Write the font for pages and charts. If it cannot be downloaded, they use a font that is installed where they are drawn."""
    try:
        packing.write_font(site)
    except packing.PackageError as problem:
        print(f"the font is left out: {problem}", file=sys.stderr)


def database(site: Site, ledger: Ledger) -> None:
    """Write the files for SQL in the browser. If a package cannot be downloaded, say so and build the site without SQL."""
    try:
        packing.write_duckdb(site)
    except packing.PackageError as problem:
        print(f"SQL is left out: {problem}", file=sys.stderr)
        return
    site.has_database = True


def data_docs(site: Site, ledger: Ledger) -> None:
    """Write the data docs that great_expectations makes, from the context that checked the release."""
    from schemas import expectations
    from schemas.errors import ContractError

    try:
        pages = expectations.data_docs(ledger.root)
    except ContractError as problem:
        print(f"data docs are left out: {problem}", file=sys.stderr)
        return
    for name, text in pages.items():
        site.text(f"data_docs/{name}", text)
    site.has_data_docs = True


# Each module in the folder is a page. A page's `finish`, if it has one, runs after all pages are written.
MODULES = [import_module(f"{pages.__name__}.{module.name}") for module in iter_modules(pages.__path__)]
NAVIGATION = sorted(module.LINK for module in MODULES if hasattr(module, "LINK"))
PAGES: tuple[Part, ...] = (
    assets,
    *(module.write for module in MODULES if hasattr(module, "write")),
    *(module.finish for module in MODULES if hasattr(module, "finish")),
)
ALL: tuple[Part, ...] = (font, database, data_docs, *PAGES)


class OutputError(Exception):
    """Raised if an output folder cannot be replaced; the message is one line with the reason."""


def check_output(out: Path) -> None:
    """Raise OutputError if `out` exists and is neither an empty folder nor a site, because the build deletes its contents."""
    if out.is_symlink() or (out.exists() and not out.is_dir()):
        raise OutputError(f"{out}: is not a folder; name another one")
    if out.is_dir() and any(out.iterdir()) and not (out / "assets" / "site.css").is_file():
        raise OutputError(f"{out}: is not a site, and its files would be replaced; name another folder")


def build(out: Path, place: Place = NOWHERE, root: Path = ROOT, parts: Iterable[Part] = ALL) -> None:
    """Build the site into `out`, from the data published under `root`. Wait if another build is running there.

    Raises database.DatabaseError if nothing is published, and OutputError if `out` cannot be replaced.
    """
    check_output(out)
    new_folder = out.with_name(f"{out.name}.new")
    out.parent.mkdir(parents=True, exist_ok=True)
    with alone_in(out.parent):
        shutil.rmtree(new_folder, ignore_errors=True)
        try:
            with open_ledger(root) as ledger:
                if changed := fingerprint.changed_inputs(ledger.connection, root):
                    print(fingerprint.remark(changed), file=sys.stderr)
                site = Site(new_folder, place, ledger.version, NAVIGATION, ledger)
                for part in parts:
                    part(site, ledger)
            shutil.rmtree(out, ignore_errors=True)
            new_folder.rename(out)
        finally:
            shutil.rmtree(new_folder, ignore_errors=True)
