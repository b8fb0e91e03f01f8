"""The report of the release within the site: its pages' content, in the site's frame."""

import re
from typing import NamedTuple

from pipeline.publishing.pages import charts
from pipeline.site.charts import without_roles
from pipeline.site.ledger import Ledger
from pipeline.site.page import Site

NAMES = (
    "compute",
    "utilization",
    "imputation",
    "accuracy",
    "calibration",
    "coverage",
    "expectations",
    "errata",
    "counters",
    "methods",
)
COLOURS = {  # of the report's charts, which are drawn on white, and the site's, which follow light and dark
    "white": "paper", "#33373d": "ink", "#e8eaed": "grid", charts.GREY: "axis", charts.PALE: "grid", charts.BLACK: "ink", charts.BLUE: "group-1",
    charts.VERMILION: "group-2", charts.GREEN: "group-3", charts.PINK: "group-4", charts.ORANGE: "group-5", charts.SKY: "group-6",
}  # fmt: skip
OWN_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)
LINK = re.compile(r'href="([^"]+)"')


class Report(NamedTuple):
    """A page of the release's report: its name, heading, the styles that it alone has, and its content."""

    name: str
    heading: str
    style: str
    body: str


def write(site: Site, ledger: Ledger) -> None:
    """Writes reports/<name>.html for every page of the report that this release has."""
    for report in found(ledger):
        site.page(f"reports/{report.name}.html", "report.html", report=report)


def found(ledger: Ledger) -> list[Report]:
    """The pages of the report, in their order."""
    files = {name: ledger.published / "report" / f"{name}.html" for name in NAMES}
    there = {path.name for path in ledger.published.rglob("*")}
    return [read(name, path.read_text(encoding="utf-8"), there) for name, path in files.items() if path.is_file()]


def read(name: str, text: str, there: set[str]) -> Report:
    """The heading and content of a page of the report, its links those of the site; `there` are the names of all published files."""
    heading = re.search(r"<h1>(.*?)</h1>", text, re.DOTALL)
    body = text.partition("</h1>")[2].rpartition("</body>")[0]
    style = OWN_STYLE.search(text)
    own = (style[1] if style else "").partition("vertical-align: baseline; }")[2]  # what follows the frame's last rule
    body = body.replace('<div class="wide">', '<div class="scroll" tabindex="0" role="region" aria-label="Table">')
    body = body.replace('class="number"', 'class="n"')
    for colour, own in COLOURS.items():
        body = body.replace(f'"{colour}"', f'"var(--{own})"')
    return Report(
        name,
        heading[1] if heading else name,
        own.strip(),
        LINK.sub(lambda link: _link(link, there), without_roles(body)),
    )


def _link(link: re.Match[str], there: set[str]) -> str:
    address, _, mark = link[1].partition("#")
    mark = f"#{mark}" if mark else ""
    if address.startswith(("http://", "https://")) or not address:
        return link[0]
    if address.removesuffix(".html") in NAMES and address in there:
        return link[0]
    if address == "index.html":
        return 'href="../index.html"'
    if "formulas/README.md" in address:
        return f'href="../methods.html{mark}"'
    if address.endswith("README.md"):
        return f'href="../dictionary.html{mark}"'
    if address.endswith((".csv", ".json")) and address.rpartition("/")[2] in there:
        return f'href="../downloads/{address.rpartition("/")[2]}"'
    return 'href="../about.html"'
