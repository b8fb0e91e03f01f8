"""Pages of the built site in a browser: no error, no request to other hosts, no sideways scrolling, light and dark, sizes, accessibility."""

import gzip
import os
import re

import pytest

from pipeline.site.packing import Package, contents
from tests.site.conftest import BUILT

AXE = Package(
    "axe-core", "4.14.1", "FHfa+lmNjQZfJz1q8wKqIDwC6DExcHt/pkjNQb09a3NPjCKg2rhu5qb2S4r76ASyFNNtuFooJpZe37OgudVGtQ=="
)
EVERY = sorted(path.relative_to(BUILT).as_posix() for path in BUILT.rglob("*.html") if "data_docs" not in path.parts)
KINDS = [
    *(path for path in EVERY if "/" not in path),
    "models/palm-540b.html", "models/alphafold-2.html", "models/gpt-3.html", "models/gpt-4o.html", "models/progressive-gan.html",
    "chips/index.html", "chips/nvidia-h100-sxm5.html", *(path for path in EVERY if path.startswith("reports/")),
]  # fmt: skip
PARTS = 4  # of the pages opened from disk, shared among the processes of a run
ELEMENT = re.compile(r"<(\w+)([^>]*)>([^<]*)")
IS_TOO_WIDE = "document.documentElement.scrollWidth > document.documentElement.clientWidth + 1"


def representatives():
    """Return pages of models and chips with every kind of element (by tag, classes and attributes), each with the longest word that any page has in it, and the largest pages."""
    longest = {}
    for path in EVERY:
        folder, _, name = path.partition("/")
        if folder in ("models", "chips") and name != "index.html":
            text = (BUILT / path).read_text(encoding="utf-8")
            words = {folder: len(text)}
            for tag, attributes, content in ELEMENT.findall(text):
                classes = re.findall(r'class="([^"]*)"', attributes)
                kind = (folder, tag, *classes, *sorted(re.findall(r"([\w-]+)=", attributes)))
                words[kind] = max(words.get(kind, 0), *map(len, content.split()), 0)
            longest |= {kind: (length, path) for kind, length in words.items() if length > longest.get(kind, (-1,))[0]}
    return {path for _, path in longest.values()}


# Width and height of the page, elements that are too low for a finger, and, if rows are cards, cells without the head of their column.
ON_A_PHONE = """return {isTooWide: IS_TOO_WIDE, height: document.documentElement.scrollHeight,
low: [...document.querySelectorAll('a, button, input, select, summary')].filter((element) => {
  const {width, height} = element.getBoundingClientRect();
  const least = element.matches('button, select, summary:not(:is(td, th, dt, li) summary), nav a, .button') ? 44 : 24;
  return width && height && height < least && !element.closest('svg, .skip');
}).map((element) => element.outerHTML.slice(0, 120)),
unlabelled: [...document.querySelectorAll("table.stack:has(thead)")].flatMap((table) => [...table.tBodies[0].rows].flatMap((row) =>
  [...row.cells].filter((cell, place) => cell.dataset.label !== table.tHead.rows[0].cells[place].textContent.trim()).map((cell) => cell.outerHTML)))}""".replace(
    "IS_TOO_WIDE", IS_TOO_WIDE
)


def mistakes_on_a_phone(browser, path):
    """Return what is wrong with this page, which is open, at a phone's width. In reports, which are prose, links may be low."""
    page = browser.run(ON_A_PHONE)
    return [
        *browser.logged(),
        *(["scrolls sideways"] if page["isTooWide"] else []),
        *([f"is {page['height']} pixels long"] if page["height"] > 12_000 else []),
        *(f"too low for a finger: {element}" for element in page["low"] if not path.startswith("reports/")),
        *(f"without the head of its column: {cell}" for cell in page["unlabelled"]),
    ]


def test_there_are_pages():
    assert len(EVERY) > 500
    assert set(KINDS) <= set(EVERY)


@pytest.mark.parametrize("part", range(PARTS))
def test_pages_open_from_disk_on_a_phone_without_a_mistake_or_a_request_elsewhere(part, browser, disk):
    """Open every kind of page, and representatives of models and chips; all of them if EVERY_PAGE is set, as once a week."""
    pages = EVERY if os.environ.get("EVERY_PAGE") else sorted({*KINDS, *representatives()})
    mistakes = {}
    for path in pages[part::PARTS]:
        browser.open(f"{disk}/{path}", 360)
        if problems := [*browser.requested_elsewhere(disk), *mistakes_on_a_phone(browser, path)]:
            mistakes[path] = problems
    assert mistakes == {}


@pytest.mark.parametrize("path", KINDS)
def test_a_page_opens_over_http_at_every_width_and_axe_finds_nothing_serious(path, browser, served):
    browser.open(f"{served}/{path}")
    assert browser.requested_elsewhere(served) == []
    assert browser.logged() == []
    for width in (360, 800, 1280):  # the page follows without being reloaded
        browser.size(width)
        assert not browser.run(f"return {IS_TOO_WIDE}"), width
    browser.run(contents(AXE, "axe.min.js").decode() + "\nwindow.axe = axe;")
    for is_dark, rules in ((False, "{}"), (True, "{runOnly: ['color-contrast']}")):  # only colours differ
        browser.size(1280, is_dark)
        violations = browser.answer(
            f"async () => (await axe.run(document, {{resultTypes: ['violations'], ...{rules}}})).violations"
        )
        serious = [
            (rule["id"], rule["nodes"][0]["html"][:200], len(rule["nodes"]))
            for rule in violations
            if rule["impact"] in ("serious", "critical")
        ]
        assert serious == [], "dark" if is_dark else "light"
    paper, ink = browser.run(
        "const style = getComputedStyle(document.body); return [style.backgroundColor, style.color].map((colour) => colour.match(/[\\d.]+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0))"
    )
    assert paper < 150 < 500 < ink  # a dark page is dark


@pytest.mark.parametrize("place", ["disk", "served"])
def test_pages_and_charts_are_in_the_font_that_the_site_brings(place, browser, request):
    browser.open(f"{request.getfixturevalue(place)}/index.html")
    assert browser.answer("() => document.fonts.ready.then(() => [...document.fonts].map((font) => font.status))") == [
        "loaded"
    ]
    family = "return getComputedStyle(document.querySelector(arguments[0])).fontFamily.split(',')[0]"
    assert {browser.run(family, part) for part in ("p", "h1", "button", "#chart svg text")} == {'"Source Sans 3"'}


@pytest.mark.parametrize("path", ["index.html", "statement.html?model=gpt-4"])
def test_what_scripts_add_fits_a_phone_too(path, browser, served):
    browser.open(f"{served}/{path}", 360)
    assert browser.until("return document.querySelectorAll('td[data-label]').length") > 10
    if path == "index.html":
        browser.run("document.querySelector('.rest').click()")
        browser.until("return document.querySelectorAll('[data-rest] tbody tr').length > 50")
    assert mistakes_on_a_phone(browser, path) == []


def compressed(*paths):
    return sum(len(gzip.compress((BUILT / path).read_bytes(), 6)) for path in paths)


def test_pages_are_small():
    scripts = (f"assets/{name}" for name in ("site.css", "site.js", "table.js", "explorer.js"))
    first = ["index.html", *scripts, "data/explorer.js"]
    assert compressed(*first) < 190_000
    assert compressed("data/search.js") < 85_000  # loaded when a reader uses the search
    plan = ("plan.html", "assets/site.css", "assets/site.js", "assets/plan_rules.js", "assets/plan.js", "data/plan.js")
    assert compressed(*plan) < 100_000
    frame = ("assets/site.css", "assets/site.js")
    largest = max(EVERY, key=lambda path: compressed(path) if path.startswith("models/") else 0)
    assert compressed(largest, *frame) < 60_000
    files = [path for path in BUILT.rglob("*") if path.is_file()]
    models = len([*BUILT.glob("models/*.json")])
    assert len(files) <= 2 * models + len([*BUILT.glob("chips/*")]) + 150
    assert sum(path.stat().st_size for path in files) <= 24_400_000 + 28_400 * models


@pytest.mark.parametrize("path", ["changes.html", "changelog.html", "dictionary.html", "methods.html"])
def test_a_page_that_is_folded_on_a_phone_shows_its_first_part(path, browser, disk):
    browser.open(f"{disk}/{path}", 390)
    parts = "[...document.querySelectorAll('main details:has(> summary > h2)')]"
    first, *others = browser.run(f"return {parts}.map((part) => part.open)")
    assert (first, any(others)) == (True, False)
    assert browser.run(f"return {parts}[0].innerText.length") > 200


@pytest.mark.parametrize(
    ("path", "width", "ready"),
    [
        ("index.html", 1280, "document.getElementById('chart').dataset.ready"),
        ("compare.html", 390, "document.body.dataset.ready"),
        ("plan.html", 390, "document.getElementById('plan').dataset.worked"),
    ],
)
def test_a_page_does_not_shift_while_it_loads(path, width, ready, browser, served):
    browser.open(f"{served}/{path}", width)
    browser.until(f"return {ready}")
    shift = browser.answer(
        "() => new Promise((done) => { let sum = 0; new PerformanceObserver((list) => { for (const entry of list.getEntries()) sum += entry.value; }).observe({type: 'layout-shift', buffered: true}); setTimeout(() => done(sum), 300); })"
    )
    assert shift < 0.1
