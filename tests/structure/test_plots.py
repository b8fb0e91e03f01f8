"""The plots of `dvc plots show`: the published rows, with our templates, on a page that fetches nothing."""

import csv
import json
import os
import re
import subprocess

import pytest
import vl_convert

from pipeline.stages import flow


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("plots")
    words = ("plots", "show", "--html-template", ".dvc/plots/offline.html", "--out", folder)
    # A proxy at which nobody listens, so that any request fails.
    nowhere = {"http_proxy": "http://127.0.0.1:9", "https_proxy": "http://127.0.0.1:9"}
    done = subprocess.run(
        [flow.ROOT / ".venv/bin/dvc", *words],
        cwd=flow.ROOT,
        env=os.environ | nowhere,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return (folder / "index.html").read_text()


def test_its_page_fetches_nothing(page):
    assert re.findall(r"<(?:script|link|img)[^>]*(?:src|href)[^>]*>", page) == ['<script src="vega.js">']


def test_every_published_row_is_in_its_plot(page):
    drawn = {spec["title"].split()[0]: spec for spec in map(json.loads, re.findall(r"var spec = (\{.*\});\n", page))}
    for first, table in (("Measured", "utilization"), ("Training", "estimates")):
        with (flow.ROOT / f"data/published/{table}.csv").open(newline="") as file:
            rows = list(csv.DictReader(file))
        spec = drawn.pop(first)
        assert [{name: row.get(name, "") for name in rows[0]} for row in spec["data"]["values"]] == rows
        picture = vl_convert.vegalite_to_svg(spec)
        marks = re.findall(r'aria-roledescription="point"', picture)
        both = [row for row in rows if table == "utilization" or (row["operation_count_flop"] and row["gpu_time_flop"])]
        assert len(marks) == len(both)
    assert not drawn
