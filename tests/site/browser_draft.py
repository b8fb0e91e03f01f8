"""The page on which candidates of a draft are ticked, in a browser, from disk."""

import json

import pytest

from pipeline.drafting import draft
from pipeline.drafting.forms import html
from pipeline.drafting.names import Target
from tests.drafting.builders import PAPER

STRANGE = PAPER.replace("a language model", 'a <b>language</b> &lt;img src=x onerror="document.title=1"&gt; model')
# The page's own rules allow no request, not even for what it has made.
DOWNLOADED = """
let made, name;
URL.createObjectURL = (blob) => { made = blob; return "#"; };
HTMLAnchorElement.prototype.click = function () { name = this.download; };
document.querySelector("button").click();
return [name, await made.text()];"""


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("draft")
    target = Target("TwinNet-7B", others=frozenset({"GPT-3"}))
    made = draft.make([html.read("2301.00001v2.html", STRANGE)], target, {"a100": "nvidia-a100-sxm4"})
    draft.write(made, folder)
    return folder / "ticks.html"


def choice(browser):
    """What is chosen of every kind that is answered."""
    found = 'return Object.fromEntries([...document.querySelectorAll("input:checked")].map((each) => [each.name, Number(each.value)]))'
    return browser.run(found)


def test_keys_choose_and_move_on(browser, page):
    from selenium.webdriver.common.keys import Keys

    browser.open(page.as_uri())
    kinds = browser.run('return [...document.querySelectorAll("section")].map((each) => each.dataset.kind)')
    browser.keys("1", "0", "9", Keys.ARROW_DOWN, "1", Keys.ARROW_UP, Keys.ARROW_UP)
    assert choice(browser) == {kinds[0]: 1, kinds[1]: 0, kinds[3]: 1}  # 9 is no choice
    assert browser.run('return document.querySelector("section.now").dataset.kind') == kinds[2]
    assert browser.run('return document.getElementById("count").textContent') == f"2 ticked, 3 of {len(kinds)} read"


def test_what_is_ticked_by_mouse_is_what_accept_takes(browser, page):
    browser.open(page.as_uri())
    browser.run("document.querySelector(\"input[name='parameters'][value='1']\").click()")
    browser.run("document.querySelector(\"input[name='steps'][value='1']\").click()")
    browser.run("document.querySelector(\"input[name='steps'][value='0']\").click()")
    name, text = browser.answer(f"async () => {{ {DOWNLOADED} }}")
    assert (name, json.loads(text)) == ("ticks.json", {"model": "TwinNet-7B", "ticks": {"parameters": 1, "steps": 0}})
    candidates = json.loads((page.parent / "candidates.json").read_text())
    assert "parameters: {value: 7.1e9, quote: parameters" in draft.accept(candidates, json.loads(text))


@pytest.mark.parametrize("is_dark", [False, True])
@pytest.mark.parametrize("width", [360, 1280])
def test_the_page_fits_and_shows_words_as_words(browser, page, width, is_dark):
    browser.open(page.as_uri(), width, is_dark)
    assert browser.run("return document.documentElement.scrollWidth <= innerWidth")
    assert browser.run("return document.title") == "TwinNet-7B: candidates"
    words = browser.run('return document.querySelector("main").textContent')
    assert "<img src=x onerror=" in words
    assert browser.run('return document.querySelectorAll("main img, main b").length') == 0
    # The last choice can be scrolled above the bar at the foot.
    browser.run("scrollTo(0, document.body.scrollHeight)")
    last, bar = browser.run('return ["section:last-child label:last-child", "footer"].map((each) => document.querySelector(each).getBoundingClientRect()).map((each, at) => at ? each.top : each.bottom)')  # fmt: skip
    assert last <= bar
    small = browser.run('return [...document.querySelectorAll("label, button")].filter((each) => each.getBoundingClientRect().height < 32).length')  # fmt: skip
    assert small == 0
    assert browser.logged() == []
    assert [each for each in browser.asked() if not each.startswith(("file:", "data:"))] == []


def test_the_figure_is_marked_once_in_its_words(browser, page):
    browser.open(page.as_uri())
    marked = browser.run('return [...document.querySelectorAll("section[data-kind=parameters] label:first-of-type mark")].map((each) => each.textContent)')  # fmt: skip
    assert marked == ["7.1 billion"]
