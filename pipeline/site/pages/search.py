"""The search index: models and chips by name, alias and organization, pages by title, and terms from the methods."""

import csv
import re
from html import unescape
from pathlib import Path
from urllib.parse import quote

from markupsafe import Markup

from pipeline.lookup import names
from pipeline.site import numbers
from pipeline.site.ledger import Ledger, Row
from pipeline.site.page import Site
from schemas.spelling import plain, words
from schemas.vocabulary import Tier

with Path(__file__).with_name("search_words.csv").open(encoding="utf-8", newline="") as file:
    # What people type for a section of the methods (by how its heading begins), a page (by words to show) or a country.
    WORDS = [*csv.DictReader(file)]
VERSION = re.compile(r"\d{1,2}(\.\d+)*")
TITLE = re.compile(r"<h1[^>]*>(.*?)</h1>", re.DOTALL)
SECTION = re.compile(r'<h2 id="([^"]+)">(?:\d+\. )?(.*?)</h2>', re.DOTALL)


def finish(site: Site, ledger: Ledger) -> None:
    """Write data/search.js: models, the newest first, then chips, answers and pages.

    An entry has a name, other search keys, a path, a remark, the organization's key, and words of its names.
    """
    lines: list[tuple[str, ...]] = []
    for model in _with_variants(names.entries(ledger.connection)):
        is_record = model["tier"] == Tier.RECORD
        path = f"models/{model['id']}.html" if is_record else f"catalogue.html#{slug(model['name'])}"
        is_known = model["training_flop"] is not None or model["training_flop_at_least"] is not None
        known = f"{numbers.total_text(model)} FLOP" if is_known else "no estimate"
        keys = _keys(model["name"], model["id"], model["aliases"], *(model["keys"] or ()))
        owner = plain(" ".join(dict.fromkeys(filter(None, (model["organization"], model["parent_organization"])))))
        forms = dict.fromkeys(" ".join(sorted({*known.words} - known.makers)) for known in names.written_names(model))
        lines.append(
            (model["name"], keys, path, known if is_record else f"{known}, catalogue", owner, f"|{'|'.join(forms)}|")
        )
    for chip in ledger.rows("hardware"):
        keys = _keys(chip["name"], chip["hardware_id"], chip["aliases"])
        owner = plain(chip["manufacturer"] or "")
        lines.append((chip["name"], keys, f"chips/{chip['hardware_id']}.html", "chip", owner))
    answers = [
        (row["name"], _keys(row["name"], row["words"]), row["path"], "answer", "")
        for row in WORDS
        if row["kind"] == "answer"
    ]
    every = [*lines, *answers, *_countries(ledger), *_pages(site)]
    rows = [(name, keys.removeprefix(f"|{plain(name)}"), *more) for name, keys, *more in every]
    site.script("data/search.js", "search", rows)


def _with_variants(models: list[Row]) -> list[Row]:
    """Return the models with the variants of each right after it.

    A variant has the name of a record and more words. It is no variant if a version follows, as in Mistral Large 2.

    >>> named = ("Large 2", "R1-0528", "R1", "Large")
    >>> [model["id"] for model in _with_variants([{"id": name, "name": name, "tier": "record"} for name in named])]
    ['Large 2', 'R1', 'R1-0528', 'Large']
    """
    by_words = {words(model["name"]): model for model in reversed(models) if model["tier"] == Tier.RECORD}
    variants: dict[str, list[Row]] = {}
    firsts = []
    for model in models:
        own = words(model["name"])
        lengths = [length for length in range(1, len(own)) if own[:length] in by_words]
        if model["tier"] == Tier.RECORD and lengths and not VERSION.fullmatch(own[lengths[-1]]):
            variants.setdefault(by_words[own[: lengths[-1]]]["id"], []).append(model)
        else:
            firsts.append(model)
    ordered, waiting = list[Row](), firsts[::-1]
    while waiting:
        ordered.append(model := waiting.pop())
        waiting += reversed(variants.pop(model["id"], []))
    return ordered


def _countries(ledger: Ledger) -> list[tuple[str, str, str, str, str]]:
    """Return the models by country, as the first page's filter shows them."""
    other_names = {row["name"]: row["words"] for row in WORDS if row["kind"] == "country"}
    countries = {
        (name, code)
        for row in ledger.models
        if row["country_code"]
        for name, code in zip(row["country"].split(" + "), row["country_code"].split(" + "), strict=True)
    }
    return [
        (
            f"Models by country: {name}",
            _keys(name, code, other_names.get(code)),
            f"index.html?country={quote(name)}",
            "filter",
            "",
        )
        for name, code in sorted(countries)
    ]


def _pages(site: Site) -> list[tuple[str, str, str, str, str]]:
    """Return the pages that are not about a single model or chip, by title, and the sections of the methods."""
    entries = []
    for file in sorted([*site.folder.glob("*.html"), *site.folder.glob("reports/*.html")]):
        path, text = file.relative_to(site.folder).as_posix(), file.read_text(encoding="utf-8")
        if (title := TITLE.search(text)) and path not in ("404.html", "index.html"):
            entries.append((_text(title[1]), _keys(_text(title[1]), file.stem), path, "page", ""))
        if path == "methods.html":
            for place, html in SECTION.findall(text):
                heading = _text(html)
                terms = (row["words"] for row in WORDS if row["kind"] == "section" and heading.startswith(row["name"]))
                entries.append((heading, _keys(heading, *terms), f"{path}#{place}", "methods", ""))
    return entries


def _text(html: str) -> str:
    return unescape(Markup(html).striptags())


def _keys(*written: str | None) -> str:
    """Return the names' search keys, each between two |. An argument may contain several names joined by |.

    >>> _keys("GPT-3 175B", "gpt-3", "GPT-3 | davinci")
    '|gpt3175b|gpt3|davinci|'
    """
    all_names = " | ".join(filter(None, written)).split(" | ")
    return f"|{'|'.join(dict.fromkeys(map(plain, all_names)))}|"


def slug(name: str) -> str:
    """Return a name as the anchor of its row.

    >>> slug("GPT-4 (x)")
    'gpt-4-x'
    """
    return "-".join("".join(letter if letter.isalnum() else " " for letter in name.lower()).split())
