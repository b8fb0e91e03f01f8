"""Redirects from the site's former addresses: `_redirects` for web hosts, and data for 404.html."""

from pipeline.site.ledger import Ledger
from pipeline.site.page import Site

# Each former path below the root, with its current address. A final * in a path matches any text, which replaces the * in the
# address. The first match counts.
MOVED = {
    "eu/*": "statement.html?model=*",
    **dict.fromkeys(("reports/", "reports/index.html"), "about.html"),
    "downloads/ledger.duckdb": "latest/ledger.duckdb.gz",
    "downloads/*": "latest/*",
    **{f"latest/{name}.csv": f"latest/{name}.csv.gz" for name in ("facts", "benchmark_runs")},
    "latest/estimates.xlsx": "latest/estimates.csv",
    "assets/chart.js": "assets/explorer.js",
    "reports/watchdog.html": "reports/accuracy.html",
    "latest/note_findings.csv": "changes.html",
    "pictures/compute_over_time-*": "index.html",
    "pictures/*": "latest/compute_over_time.png",
}


def write(site: Site, ledger: Ledger) -> None:
    """Write _redirects, a line per address, and data/moved.js, with which 404.html redirects if a host ignores it."""
    lines = (f"/{old} /{new.replace('*', ':splat')} 302\n" for old, new in MOVED.items())
    site.text("_redirects", "".join(lines))
    site.script("data/moved.js", "moved", MOVED)
