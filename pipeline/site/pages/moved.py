"""Addresses that the site had, and where what stood there is now: a file that hosts and `flopledger serve` follow, and the page of what is not there."""

from pipeline.site.ledger import Ledger
from pipeline.site.page import Site

GROUPS = "biology-and-other games-and-robotics image-and-video-generation language multimodal speech vision"
# A path below the root, its last * anything, and the address for which a * stands for the same; the first that fits.
MOVED = {
    "eu/*": "statement.html?model=*",
    **dict.fromkeys(("reports/", "reports/index.html"), "about.html"),
    "downloads/ledger.duckdb": "latest/ledger.duckdb.gz",
    "downloads/*": "latest/*",
    **{f"latest/{name}.csv": f"latest/{name}.csv.gz" for name in ("facts", "benchmark_runs")},
    "latest/estimates.xlsx": "latest/estimates.csv",
    "assets/chart.js": "assets/explorer.js",
    **{f"pictures/compute_over_time-{group}.{form}": "index.html" for group in GROUPS.split() for form in ("png", "svg")},
    "pictures/*": "latest/compute_over_time.png",
}  # fmt: skip


def write(site: Site, ledger: Ledger) -> None:
    """Writes _redirects, one line an address, and data/moved.js, the same for 404.html: a host that knows no _redirects answers by that."""
    lines = (f"/{old} /{new.replace('*', ':splat')} 302\n" for old, new in MOVED.items())
    site.text("_redirects", "".join(lines))
    site.script("data/moved.js", "moved", MOVED)
