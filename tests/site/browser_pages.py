"""Every page of the built site in a browser: no error, no request to other hosts, no sideways scrolling, light and dark, sizes, accessibility."""

import gzip

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
WIDTHS = (360, 1280)
PARTS = 8  # of all pages, shared among the processes of a run


def is_too_wide(browser):
    return browser.run("return document.documentElement.scrollWidth > document.documentElement.clientWidth + 1")


def test_there_are_pages():
    assert len(EVERY) > 500
    assert set(KINDS) <= set(EVERY)


@pytest.mark.parametrize("part", range(PARTS))
def test_every_page_opens_from_disk_on_a_phone_without_an_error_or_a_request_elsewhere(part, browser, disk):
    found = {}
    for path in EVERY[part::PARTS]:
        browser.open(f"{disk}/{path}", 360)
        elsewhere = [address for address in browser.asked() if not address.startswith((disk, "blob:", "data:"))]
        wrong = [*browser.logged(), *elsewhere, *(["scrolls sideways"] if is_too_wide(browser) else [])]
        height = browser.run("return document.documentElement.scrollHeight")
        wrong += [f"is {height} pixels long"] if height > 12_000 else []
        if wrong:
            found[path] = wrong
    assert found == {}


@pytest.mark.parametrize("path", KINDS)
def test_a_page_opens_over_http_at_every_width_and_axe_finds_nothing_serious(path, browser, served):
    for width in WIDTHS:
        browser.open(f"{served}/{path}", width)
        assert [address for address in browser.asked() if not address.startswith((served, "blob:", "data:"))] == []
        assert browser.logged() == []
        assert not is_too_wide(browser), width
    browser.size(800)
    assert not is_too_wide(browser), "800, after a change of width"
    browser.run(contents(AXE, "axe.min.js").decode() + "\nwindow.axe = axe;")
    for is_dark in (False, True):  # the page follows without being reloaded
        browser.size(WIDTHS[-1], is_dark)
        found = browser.answer("async () => (await axe.run(document, {resultTypes: ['violations']})).violations")
        serious = [
            (each["id"], each["nodes"][0]["html"][:200], len(each["nodes"]))
            for each in found
            if each["impact"] in ("serious", "critical")
        ]
        assert serious == [], "dark" if is_dark else "light"


@pytest.mark.parametrize("path", ["index.html", "models/palm-540b.html", "reports/compute.html"])
def test_a_dark_page_is_dark(path, browser, served):
    browser.open(f"{served}/{path}", 1280, is_dark=True)
    paper, ink = browser.run(
        "const style = getComputedStyle(document.body); return [style.backgroundColor, style.color].map((colour) => colour.match(/[\\d.]+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0))"
    )
    assert paper < 150 < 500 < ink


@pytest.mark.parametrize("place", ["disk", "served"])
def test_pages_and_charts_are_in_the_font_that_the_site_brings(place, browser, request):
    browser.open(f"{request.getfixturevalue(place)}/index.html")
    assert browser.answer("() => document.fonts.ready.then(() => [...document.fonts].map((font) => font.status))") == [
        "loaded"
    ]
    family = "return getComputedStyle(document.querySelector(arguments[0])).fontFamily.split(',')[0]"
    assert {browser.run(family, part) for part in ("p", "h1", "button", "#chart svg text")} == {'"Source Sans 3"'}


UNLABELLED = """return [...document.querySelectorAll("table.stack:has(thead)")].flatMap((table) => [...table.tBodies[0].rows].flatMap((row) =>
  [...row.cells].filter((cell, place) => cell.dataset.label !== table.tHead.rows[0].cells[place].textContent.trim()).map((cell) => cell.outerHTML)))"""


@pytest.mark.parametrize("path", ["eu.html", "index.html", "models/palm-540b.html", "statement.html?model=gpt-4"])
def test_cells_of_tables_that_are_cards_on_a_phone_have_the_head_of_their_column(path, browser, served):
    browser.open(f"{served}/{path}", 360)
    assert browser.until("return document.querySelectorAll('td[data-label]').length") > 10
    if path == "index.html":
        browser.run("document.querySelector('.rest').click()")
        browser.until("return document.querySelectorAll('[data-rest] tbody tr').length > 50")
    assert browser.run(UNLABELLED) == []


TOUCHED = """return [...document.querySelectorAll('a, button, input, select, summary')].filter((each) => {
  const {width, height} = each.getBoundingClientRect();
  const least = each.matches('button, select, summary:not(:is(td, th, dt, li) summary), nav a, .button') ? 44 : 24;
  return width && height && height < least && !each.closest('p:not(:has(> .button)), q, blockquote, figcaption, svg, .skip');
}).map((each) => each.outerHTML.slice(0, 120))"""


@pytest.mark.parametrize(
    "path", ["index.html", "eu.html", "sql.html", "compare.html", "disputes.html", "models/palm-540b.html"]
)
def test_what_a_finger_hits_is_high_enough(path, browser, served):
    browser.open(f"{served}/{path}", 360)
    assert browser.run(TOUCHED) == []


def compressed(*paths):
    return sum(len(gzip.compress((BUILT / path).read_bytes(), 6)) for path in paths)


def test_pages_are_small():
    own = [
        "index.html",
        "assets/site.css",
        "assets/site.js",
        "assets/table.js",
        "assets/explorer.js",
        "data/explorer.js",
    ]
    assert compressed(*own) < 190_000
    assert compressed("data/search.js") < 90_000  # loaded when a reader uses the search
    frame = ("assets/site.css", "assets/site.js", "assets/ledger.js", "assets/what_if.js")
    largest = max(EVERY, key=lambda path: compressed(path) if path.startswith("models/") else 0)
    assert compressed(largest, *frame) < 60_000


def test_the_first_page_does_not_shift(browser, served):
    browser.open(f"{served}/index.html")
    browser.until("return document.getElementById('chart').dataset.ready")
    shift = browser.answer(
        "() => new Promise((done) => { let sum = 0; new PerformanceObserver((list) => { for (const each of list.getEntries()) sum += each.value; }).observe({type: 'layout-shift', buffered: true}); setTimeout(() => done(sum), 300); })"
    )
    assert shift < 0.1
