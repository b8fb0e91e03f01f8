"""Describe the release as a schema.org data set, for search engines, and in Croissant, for machine-learning tools."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pipeline.base.digests import sha256
from pipeline.base.text.html_text import json_in_html
from pipeline.publishing.citation import package_version

FORMATS = {
    ".csv": "text/csv",
    ".csv.gz": "text/csv",  # readers recognize gzip by its first bytes
    ".parquet": "application/vnd.apache.parquet",
    ".duckdb.gz": "application/gzip",
    ".duckdb": "application/vnd.duckdb",
}
# Files that the data package does not list. The site offers the database compressed; a release's folder contains it
# uncompressed.
WHOLE = ("estimates.parquet", "catalogue_estimates.parquet", "ledger.duckdb.gz")
OF_A_RELEASE = (*WHOLE, "ledger.duckdb")
TYPES = {"string": "sc:Text", "number": "sc:Float", "integer": "sc:Integer", "boolean": "sc:Boolean"}
# The format's own context, whole, because readers warn about any other. Most words are in its vocabulary `cr`.
OF_CROISSANT = """
    @language @vocab citeAs column conformsTo cr rai data dataType dct equivalentProperty examples extract field
    fileObject fileProperty fileSet format includes isLiveDataset jsonPath key md5 parentField path recordSet references
    regex repeated replace samplingRate sc separator source subField transform
""".split()
ELSEWHERE = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "sc": "https://schema.org/",
}
CONTEXT = {word: ELSEWHERE.get(word, f"cr:{word}") for word in OF_CROISSANT}


def dataset(package: Mapping[str, Any], address: str) -> str:
    """Return JSON-LD that describes the data package to search engines. `address` is the site's address, if known."""
    start = f"{address}/latest/" if address else "latest/"
    names = [*(resource["path"] for resource in package["resources"]), *WHOLE]
    document = {
        "@context": "https://schema.org/",
        "@type": "Dataset",
        **_description(package),
        **({"url": f"{address}/"} if address else {}),
        "isAccessibleForFree": True,
        "distribution": [
            {"@type": "DataDownload", "contentUrl": f"{start}{name}", "encodingFormat": _format(name)} for name in names
        ],
    }  # fmt: skip
    return json_in_html(document)


def croissant(package: Mapping[str, Any], folder: Path, address: str = "") -> str:
    """Return croissant.json: the data package's files and columns, and the same tables in `folder` in other formats."""
    records = []
    for resource in package["resources"]:
        path, name = resource["path"], resource["path"].partition(".")[0]
        fields = [
            {
                "@type": "cr:Field", "@id": f"{name}/{field['name']}", "name": field["name"],
                "description": field.get("description", ""),
                "dataType": TYPES.get(field["type"], "sc:Text"),
                "source": {"fileObject": {"@id": path}, "extract": {"column": field["name"]}},
            }
            for field in resource["schema"]["fields"]
        ]  # fmt: skip
        records.append({"@type": "cr:RecordSet", "@id": name, "name": name, "field": fields})
    names = [
        *(resource["path"] for resource in package["resources"]),
        *(name for name in OF_A_RELEASE if (folder / name).exists()),
    ]
    files = [
        {
            "@type": "cr:FileObject", "@id": name, "name": name, "contentUrl": name, "encodingFormat": _format(name),
            "contentSize": f"{(folder / name).stat().st_size} B",
            "sha256": sha256(folder / name),
        }
        for name in names
    ]  # fmt: skip
    day, *second = package["version"].split(".")
    document = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        **_description(package),
        "url": f"{address}/" if address else "index.html",
        "version": "+".join([package_version(day), *second]),  # the format requires MAJOR.MINOR.PATCH[+BUILD]
        "citeAs": f"{package['contributors'][0]['title']}, {package['title']}, version {package['version']}",
        "distribution": files,
        "recordSet": records,
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _format(name: str) -> str:
    return FORMATS["".join(Path(name).suffixes)]


def _description(package: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "name": package["title"],
        "description": package["description"],
        "keywords": package["keywords"],
        "license": package["licenses"][0]["path"],
        "creator": {"@type": "Organization", "name": package["contributors"][0]["title"]},
        "version": package["version"],
        "datePublished": package["version"][:10],
    }
