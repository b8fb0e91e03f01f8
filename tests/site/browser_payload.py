"""A payload in every text of a record and of an account: pages, charts, tables and terminals show it as text."""

import csv
import json
import re
from urllib.parse import parse_qs, urlsplit
from xml.etree import ElementTree

import pytest
import yaml
from selectolax.lexbor import LexborHTMLParser

from pipeline.answers import guidelines
from pipeline.base.text.html_text import json_in_html, policy
from pipeline.commands import export
from pipeline.publishing import account
from pipeline.publishing.csv_cells import RUNS_IN_A_SPREADSHEET
from pipeline.records import loading
from pipeline.site import overview
from pipeline.site.build import PAGES, build
from pipeline.site.ledger import open_ledger
from pipeline.site.page import Place
from schemas import plain_text
from tests.builders import copied, made_once, on_a_terminal, run_everything, typed
from tests.site.builders import value_of

PAYLOAD = "</script><script>pwned()</script>\"'><img src=x onerror=pwned()>{{7*7}}"
ESCAPES = "\x1b]0;pwned\x07\x1b[2J\x9b2J\u2028\u202e"  # only an account passed to a function has them
TEXT = re.compile("[A-Za-z=]")
DATA = {"application/json", "application/ld+json"}  # types of scripts that do not run
RECORDS = {  # and the keys whose values may be any text
    "models/tiny-net.yaml": "aliases found_at name note scope_note text title where would_settle",
    "hardware/small-chip.yaml": "manufacturer name title",
}
# Texts that the miniature's model lacks.
MORE = {
    "aliases": ["Another"],
    "scope": "ensemble",
    "scope_note": "Note",
    "note": "Note",
    "parameters": {"value": 60e6, "quote": "size", "note": "Note"},
    "quotes": {"size": {"source": "paper", "where": "section", "text": "has 60 million", "found_at": "https://example.org/x"}},
    "missing": [{"fact": "utilization", "looked_in": ["paper"], "would_settle": "Words"}],
}  # fmt: skip


def poisoned(value):
    return f"=cmd() {value};＝cmd() {PAYLOAD}"


def places(value, path=()):
    """Yield the places of all texts."""
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(inner, (*path, key))
    elif isinstance(value, str) and TEXT.match(value):
        yield path


def with_payload(content, path):
    changed = json.loads(json.dumps(content, default=str))
    inner = changed
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = poisoned(inner[path[-1]])
    return changed


@pytest.fixture(scope="module")
def root(shared_folder):
    """Return the miniature with the payload wherever a record may have text, with its published files and site."""

    def make(folder):
        copied(folder)
        for name in RECORDS:
            path = folder / "data/records" / name
            content = yaml.safe_load(path.read_text()) | (MORE if name.startswith("models") else {})
            took = set()
            for place in [*places(content)]:
                changed = with_payload(content, place)
                path.write_text(yaml.safe_dump(changed, allow_unicode=False))
                try:
                    loading.load([folder / "data/records"])
                except loading.RecordError:
                    continue
                content, took = changed, took | {next(key for key in reversed(place) if isinstance(key, str))}
            path.write_text(yaml.safe_dump(content, allow_unicode=False))
            assert took == set(RECORDS[name].split())
        run_everything(folder)
        build(folder / "site", Place("", "https://example.org/code"), folder, PAGES)

    return made_once(shared_folder / "payload", make)


def assert_is_harmless(text, allowed=None):
    """Assert that no part of the payload is an element, a handler or an address; `allowed`: a single file's policy."""
    page = LexborHTMLParser(text)
    scripts = [node for node in page.css("script") if node.attributes.get("type") not in DATA]
    assert all(json.loads(node.text()) for node in page.css("script") if node not in scripts)
    inline = [node.text() for node in scripts if "src" not in node.attributes]
    for node in page.root.traverse():
        attributes = {name: value or "" for name, value in (node.attributes or {}).items()}
        assert not [name for name in attributes if name.startswith("on")], attributes
        assert node.tag not in ("img", "iframe", "object", "embed"), attributes
        address = attributes.get("href", attributes.get("src", ""))
        assert not re.match(r"\s*(javascript|data|vbscript):", address, re.IGNORECASE)
    assert not [script for script in inline if "pwned" in script]
    stated = page.css_first("meta[http-equiv=Content-Security-Policy]").attributes["content"]
    if allowed is not None:
        assert stated == policy(*inline) == allowed
    else:
        assert not inline
        assert stated.startswith("default-src 'none'; script-src 'self' file:")


def test_pages_show_it_as_text(root):
    pages = [*(root / "site").rglob("*.html")]
    assert sum("pwned" in page.read_text() for page in pages) > 5
    for page in pages:
        assert_is_harmless(page.read_text())


def test_each_fact_has_a_report_of_an_error_filled_in(browser, root):
    page = root / "site/models/tiny-net.html"
    facts = [fact for group in json.loads(page.with_suffix(".json").read_text())["facts"].values() for fact in group]
    browser.open(page.as_uri())
    assert browser.logged() == []  # no part of the payload ran, or tried to
    links, values = (
        browser.run("""const texts = (query, text) => [...document.querySelectorAll(`tr[data-path] ${query}`)].map(text);
    return [texts("a[href*=issues]", (link) => link.href), texts("td:nth-child(2)", (cell) => cell.firstChild.textContent)]""")
    )
    forms = [parse_qs(urlsplit(link).query, strict_parsing=True) for link in links]
    assert [form["path"] for form in forms] == [[fact["path"]] for fact in facts]
    assert all(form["record"] == [page.stem] and form["template"] == ["correction.yaml"] for form in forms)
    assert [form["why"][0].partition(" says: ")[2] for form in forms] == values


def test_scripts_and_json_hold_it_as_text(root):
    number = 0
    for path in (root / "site/data").rglob("*.js"):
        number += "pwned" in json.dumps(value_of(path))
    assert number > 2


def test_feeds_and_pictures_hold_it_as_text(root):
    files = [path for path in (root / "site").rglob("*") if path.suffix in (".svg", ".xml")]
    assert files
    for path in files:
        tags = {(node.tag.rpartition("}")[2], *node.attrib) for node in ElementTree.parse(path).iter()}
        assert not [
            tag for tag in tags if tag[0] in ("script", "img", "image") or any(key.startswith("on") for key in tag[1:])
        ]


def test_no_cell_of_a_table_is_a_formula(root):
    cells = []
    for path in [*(root / "data/published").glob("*.csv"), *(root / "site/latest").rglob("*.csv")]:
        with path.open(newline="") as file:
            cells += [cell for row in csv.reader(file) for cell in row]
    assert sum("pwned" in cell for cell in cells) > 5
    numbers = re.compile(r"-?[\d.]+(e[-+]?\d+)?")
    assert not [cell for cell in cells if RUNS_IN_A_SPREADSHEET.search(cell) and not numbers.fullmatch(cell)]


@pytest.mark.parametrize("verb", ["show", "explain", "thresholds", "estimate", "export"])
def test_a_terminal_shows_it_as_text(root, verb, tmp_path):
    path = tmp_path / "tiny-net.yaml"
    record = (root / "data/records/models/tiny-net.yaml").read_text()
    path.write_text(record.replace("University\n", "University of Toronto\n").replace("SC-1", "nvidia-gtx-580"))
    words = [verb, str(path), *(["--eu"] if verb == "export" else [])]
    written = typed(*words)
    assert "pwned" in written.stdout or verb == "thresholds", written.stderr
    for text in (written.stdout, written.stderr, on_a_terminal(*words, columns=80)):
        assert not plain_text.BREAKS.search(text.replace("\n", ""))


@pytest.fixture(scope="module")
def accounted(root):
    """Return the account of the model, with even those characters in every text that no record can contain."""
    with open_ledger(root) as ledger:
        content = account.account(ledger.connection, "tiny-net", None)
        version = ledger.version
    words = {path for path in places(content) if " " in str(_at(content, path)) or path[-1] == "name"}
    for path in words:
        content = with_payload(content, path)
        inner = _at(content, path[:-1])
        inner[path[-1]] += ESCAPES
    return content, version


def _at(value, path):
    for key in path:
        value = value[key]
    return value


def test_the_statement_of_an_account_shows_it_as_text(accounted):
    page = export.page(guidelines.statement(*accounted))
    assert "pwned" in page
    assert_is_harmless(page, policy())


def test_a_picture_holds_it_as_text(root):
    row = {"id": "a", "name": poisoned("A") + ESCAPES[-1], "organization": poisoned("O"), "group": "Language", "date": "2020-01-01",
           "published": "2020-01-01", "flop": 1e24, "low": 1e23, "high": 1e25, "words": "", "interval": ""}  # fmt: skip
    spec = overview.picture([row], poisoned("title"), "2026-01-01")
    page = overview.page(spec).decode()
    assert json_in_html(spec) in page
    assert_is_harmless(page, policy(LexborHTMLParser(page).css("script")[1].text()))
    drawn = ElementTree.fromstring(overview.svg(spec))
    for node in drawn.iter():
        assert not node.tag.endswith("script")
        assert not [name for name in node.attrib if name.startswith("on")]
