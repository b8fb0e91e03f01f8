"""Descriptions of the project for others agree with each other."""

import json
import tomllib

import yaml

from pipeline.base.paths import PUBLISHED, ROOT
from pipeline.publishing import croissant
from pipeline.publishing.citation import package_version

CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text())
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
PACKAGE = json.loads((PUBLISHED / "datapackage.json").read_text())


def test_the_citation_has_what_the_format_asks_for_and_archives_show():
    assert {
        "cff-version",
        "message",
        "title",
        "abstract",
        "type",
        "authors",
        "keywords",
        "version",
        "date-released",
        "license",
    } <= CITATION.keys()
    assert CITATION["version"] == PACKAGE["version"]
    assert CITATION["date-released"] == CITATION["version"][:10]


def test_package_data_package_and_pages_describe_what_the_citation_does():
    assert PROJECT["version"] == package_version(CITATION["version"])
    assert PROJECT["keywords"] == CITATION["keywords"] == PACKAGE["keywords"]
    assert PROJECT["authors"] == CITATION["authors"]
    said = json.loads(croissant.dataset(PACKAGE, "https://ledger.org"))
    assert (
        (said["name"], said["description"])
        == (PACKAGE["title"], PACKAGE["description"])
        == (CITATION["title"], CITATION["abstract"])
    )
    assert said["license"] == "https://creativecommons.org/licenses/by/4.0/"
    assert CITATION["license"] == PACKAGE["licenses"][0]["name"] == "CC-BY-4.0"
    assert {file["contentUrl"] for file in said["distribution"]} >= {
        f"https://ledger.org/latest/{name}" for name in ("estimates.csv", "estimates.parquet", "ledger.duckdb.gz")
    }


def test_an_archive_reads_the_citation_alone():
    assert not (ROOT / ".zenodo.json").exists()  # it would replace CITATION.cff
