"""dense_peaks.json and dense_peaks.py: dense peaks by device name, at permanent addresses, for other people's programs."""

from pipeline.base.paths import PIPELINE
from pipeline.base.text.json_text import as_json
from pipeline.publishing.peak_table import peak_table
from pipeline.site.ledger import Ledger
from pipeline.site.page import Site


def write(site: Site, ledger: Ledger) -> None:
    """Write the table, and the code that looks up names in it."""
    site.text("dense_peaks.json", as_json(peak_table(ledger.connection)))
    site.text("dense_peaks.py", (PIPELINE / "publishing" / "dense_peaks.py").read_text(encoding="utf-8"))
