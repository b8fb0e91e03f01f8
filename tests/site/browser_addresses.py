"""Every address that the site of 21 November 2026 had still leads to a file, by `_redirects`; and the number of files is bounded."""

import csv

import pytest

from pipeline.base.paths import ROOT
from tests.site.conftest import BUILT

# {model} and {chip} are all ids in use.
ADDRESSES = """
/ /{404,about,benchmarks,catalogue,changelog,changes,compare,dictionary,disputes,downloads,eu,index,methods,sql,utilization}.html
/{changes.xml,dense_peaks.json,dense_peaks.py,index.json,robots.txt}
/chips/ /chips/index.html /chips/{chip}.html
/models/{model}.html /models/{model}.json /pictures/{model}.png /pictures/ledger.png /eu/{model}.html
/pictures/compute_over_time-{biology-and-other,games-and-robotics,image-and-video-generation,language,multimodal,speech,vision}.{png,svg}
/reports/ /reports/{accuracy,adjudications,calibration,compute,costs,counters,coverage,errata,expectations,gold,imputation,index,methods,utilization,watchdog}.html
/downloads/{accuracy,all_estimates,benchmark_runs,catalogue_estimates,changes,compute_over_time,counters,estimates,facts,identifiers,method_comparison,note_findings,utilization}.csv
/downloads/{catalogue_estimates.parquet,compute_over_time.png,compute_over_time.svg,croissant.json,datapackage.json,estimates.parquet,estimates.xlsx}
/latest/{facts.csv,benchmark_runs.csv,estimates.xlsx}
/downloads/{ledger.duckdb,ledger.sha256,SHA256SUMS}
/assets/{chart.js,compare.js,icon.svg,ledger.js,site.css,site.js,sql.js,table.js,utilization.js,vega.js}
/assets/duckdb/{arrow,client,ledger,wasm,worker}.js
"""


def spelled_out(pattern, ids):
    """Return the addresses of a pattern.

    >>> spelled_out("/{a,b}/{chip}", {"chip": ["c"]})
    ['/a/c', '/b/c']
    """
    start, opening, rest = pattern.partition("{")
    if not opening:
        return [start]
    inside, _, end = rest.partition("}")
    return [f"{start}{word}{after}" for word in ids.get(inside, inside.split(",")) for after in spelled_out(end, ids)]


@pytest.fixture(scope="module")
def ids():
    """Return the ids in use of models and chips, sorted."""
    with (ROOT / "data/published/identifiers.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["is_retired"] == "false"]
    kinds = {"model": "models", "chip": "hardware"}
    return {
        word: sorted(row["record_id"] for row in rows if row["record_kind"] == kind) for word, kind in kinds.items()
    }


def answers(address):
    """Return whether a web host that obeys `_redirects` has a file for this address."""
    for line in (BUILT / "_redirects").read_text(encoding="utf-8").splitlines():
        old, new, _ = line.split()
        start = old.removesuffix("*")
        if address == old or (start != old and address.startswith(start)):
            return answers(new.replace(":splat", address.removeprefix(start)))
    path = BUILT / address.partition("?")[0].lstrip("/")
    return (path / "index.html" if address.endswith("/") else path).is_file()


def test_every_address_answers(ids):
    """Ask for two models and two chips; the others have the same files and the same rules in `_redirects`."""
    two = {word: [names[0], names[-1]] for word, names in ids.items()}
    addresses = [address for pattern in ADDRESSES.split() for address in spelled_out(pattern, two)]
    assert len(addresses) > 90
    assert [address for address in addresses if not answers(address)] == []
    assert not answers("/no-such-page.html")
    for folder, suffix, word in (("models", "html", "model"), ("models", "json", "model"), ("chips", "html", "chip")):
        assert set(ids[word]) <= {path.stem for path in (BUILT / folder).glob(f"*.{suffix}")}


def test_the_site_has_two_files_a_model_and_one_a_chip_and_39_kilobytes_a_model(ids):
    files = [path for path in BUILT.rglob("*") if path.is_file()]
    assert len(files) <= 2 * len(ids["model"]) + len(ids["chip"]) + 150
    assert sum(path.stat().st_size for path in files) <= 30_000_000 + 39_000 * len(ids["model"])
