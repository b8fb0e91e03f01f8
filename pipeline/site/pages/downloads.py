"""Files for machines: tables, the database, descriptions of both, the chart, and a list of all pages."""

import csv
import gzip
import json
from pathlib import Path
from xml.sax.saxutils import escape

from markupsafe import Markup

from pipeline.answers import trends
from pipeline.base.digests import sha256, sums
from pipeline.base.paths import PIPELINE
from pipeline.base.text.json_text import json_line
from pipeline.publishing import account_schema, croissant, csv_cells
from pipeline.publishing.peak_table import peak_table
from pipeline.site import growth, overview
from pipeline.site.ledger import PACKED, Ledger
from pipeline.site.page import Link, Site
from pipeline.site.pages import home

OF_REPORT = ("accuracy.csv", "counters.csv", "equal_flop.csv", "timings.csv")
SUMS = "SHA256SUMS"
with Path(__file__).with_suffix(".csv").open(encoding="utf-8", newline="") as file:
    WORDS = {row["file"]: row["words"] for row in csv.DictReader(file)}
for quantity, name in home.VIEWS.items():
    chart = f"the first page's chart of {quantity}, all models"
    WORDS |= {f"{name}.csv": chart, f"{name}.json": f"{chart} and trends"}

LINK = Link(9, "downloads.html", "Data")


def write(site: Site, ledger: Ledger) -> None:
    """Write latest/, with the first page's chart, and dense_peaks.json with the code that looks up names in it."""
    published = ledger.published
    for path in (*published.iterdir(), *(published / f"report/{name}" for name in OF_REPORT)):
        if path.name in PACKED:
            site.bytes(f"latest/{path.name}.gz", ledger.gzipped(path.name))
        elif path.is_file():
            site.bytes(f"latest/{path.name}", path.read_bytes())
    if rows := ledger.rows("all_estimates"):
        text = csv_cells.text(list(rows[0]), [list(row.values()) for row in rows])
        site.bytes("latest/all_estimates.csv.gz", gzip.compress(text.encode(), 9, mtime=0))
    site.text("latest/datapackage.json", json.dumps(ledger.package, indent=1, ensure_ascii=False) + "\n")
    site.text("latest/croissant.json", croissant.croissant(ledger.package, site.folder / "latest", site.place.address))
    site.text("latest/account.schema.json", account_schema.text())
    site.text("dense_peaks.json", f"{json_line(peak_table(ledger.connection))}\n")
    site.text("dense_peaks.py", (PIPELINE / "publishing" / "dense_peaks.py").read_text(encoding="utf-8"))
    points = [row for row in growth.points(ledger.models) if row["date"] >= f"{overview.FIRST_YEAR}"]
    if points:
        trend = trends.trend(ledger.models, overview.FIRST_YEAR)
        spec = overview.picture(points, overview.TITLE, site.version, trend, (), ledger.rows("largest_in_epoch"))
        site.bytes("latest/compute_over_time.svg", overview.svg(spec))
        site.bytes("latest/compute_over_time.png", overview.png(spec))


def finish(site: Site, ledger: Ledger) -> None:
    """Write the checksums of latest/, downloads.html (which lists latest/), robots.txt and the sitemap."""
    folder = site.folder / "latest"
    summed = sorted(path for path in folder.iterdir() if path.name != SUMS)
    site.text(f"latest/{SUMS}", sums({path.name: sha256(path) for path in summed}))
    files = sorted((path for path in folder.iterdir() if path.is_file()), key=_order)
    site.page(
        "downloads.html",
        "downloads.html",
        sources=ledger.package["sources"],
        dataset=Markup(croissant.dataset(ledger.package, site.place.address)),
        files=[(path.name, WORDS.get(path.name, ""), _size(path.stat().st_size)) for path in files],
        example=next((row["model_id"] for row in ledger.models), None),
        has_data_docs=site.has_data_docs,
    )
    robots = "User-agent: *\nAllow: /\n"
    if site.place.address:  # a sitemap needs complete addresses
        _sitemap(site)
        robots += f"Sitemap: {site.place.address}/sitemap.xml\n"
    site.text("robots.txt", robots)


def _order(path: Path) -> tuple[int, str]:
    names = list(WORDS)
    return (names.index(path.name) if path.name in names else len(names), path.name)


def _size(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{max(size / 1e3, 1):.0f} kB"


def _sitemap(site: Site) -> None:
    """Write sitemap.xml, with the address of every page except the error page and the data docs."""
    pages = sorted(
        path.relative_to(site.folder).as_posix()
        for path in site.folder.rglob("*.html")
        if path.name != "404.html" and "data_docs" not in path.parts
    )
    lines = "".join(f"<url><loc>{escape(site.place.address)}/{escape(page)}</loc></url>\n" for page in pages)
    site.text("sitemap.xml", f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{lines}</urlset>\n')  # fmt: skip
