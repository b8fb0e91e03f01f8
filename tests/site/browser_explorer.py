"""The explorer on the first page: selections, chart, table, files and addresses, compared with commands and SQL."""

import csv
import io
import json

import pytest
from packaging.version import Version

from pipeline.site.page import MOST_ROWS
from tests.builders import typed
from tests.site.conftest import BUILT

EXPLORED = """const chart = document.getElementById("chart"), isDrawn = chart.dataset.trend && chart.dataset.ready;
return isDrawn && Number(document.querySelector('#explorer-count strong').textContent.replace(',', ''))"""
ROWS = "return [...document.querySelectorAll('#models tbody tr')].map((row) => row.id)"
LINES = "return [...document.querySelectorAll('#trends li')].map((item) => item.textContent).filter((line) => !line.includes('no line'))"
MORE = "return document.querySelector('#models tfoot:not([hidden]) button')"
FROM_2018 = "published >= '2018'"
CHINESE = "list_contains(string_split(country, ' + '), 'China')"
# The explorer's parameters in the address, the command line's options, and SQL.
SELECTIONS = [
    ("?domain=language&from=2010", ("--domain", "language", "--from-year", "2010"), "domain = 'language' and published >= '2010' and tier = 'record'"),
    ("?organization=Google&to=2024", ("--organization", "Google", "--from-year", "2018", "--to-year", "2024"), f"{FROM_2018} and published < '2025' and list_contains(string_split(parent_organization, ' + '), 'Google') and tier = 'record'"),
    ("?tier=&from=2012&search=net", ("--tier", "all", "--from-year", "2012", "--search", "net"), "published >= '2012' and contains(lower(concat_ws(' ', model_id, name, aliases, organization)), 'net')"),
    ("?domain=language,multimodal&country=China,France&access=open,restricted&least=1e22&most=1e25&tier=record,catalogue", ("--domain", "language,multimodal", "--country", "China,France", "--access", "open,restricted", "--from-year", "2018", "--at-least", "1e22", "--at-most", "1e25", "--tier", "all"), f"{FROM_2018} and domain in ('language', 'multimodal') and ({CHINESE} or list_contains(string_split(country, ' + '), 'France')) and weights_access in ('open', 'restricted') and training_flop between 1e22 and 1e25"),
    ("?tier=&from=2012", ("--tier", "all", "--from-year", "2012"), "published >= '2012'"),
]  # fmt: skip
OTHER_FILTERS = [
    ("?least=1e25", f"{FROM_2018} and probability_above_1e25_fraction >= 0.05 and tier = 'record'"),
    ("?least=1e25&sure=0.9", f"{FROM_2018} and probability_above_1e25_fraction >= 0.9 and tier = 'record'"),
    ("?from=&disputed=yes&base=no", "is_disputed and base_model is null and tier = 'record'"),
    ("?chip=NVIDIA+A100+SXM4&most=1e23&to=2023", f"{FROM_2018} and published < '2024' and list_contains(string_split(hardware, ' + '), 'nvidia-a100-sxm4') and training_flop <= 1e23 and tier = 'record'"),
]  # fmt: skip


def explored(browser, address, width=1280):
    """Return the number of models that the explorer shows at this address, once everything is drawn.

    If the page is already open, only its address changes, as when a reader goes back.
    """
    page, _, query = address.partition("?")
    if browser.shown == (width, False) and browser.run("return location.href").partition("?")[0] == page:
        browser.run("history.pushState(null, '', arguments[0]); dispatchEvent(new Event('popstate'))", f"?{query}")
    else:
        browser.open(address, width)
    return browser.until(EXPLORED)


def has_rows(ids):
    """Return the script that is true if the table shows these rows."""
    return f"return JSON.stringify((() => {{ {ROWS} }})()) === {json.dumps(json.dumps(ids, separators=(',', ':')))}"


def selected(published, where, what="count(*)"):
    return published.execute(f"select {what} from all_estimates left join (select model_id, aliases from models) using (model_id) where {where}").fetchall()  # fmt: skip


def saved(browser, kind):
    browser.run("FLOP.saved = null; FLOP.save = (name, content) => { FLOP.saved = {name, content}; }")
    browser.run(f"document.querySelector('[data-save={kind}]').click()")
    return browser.until("return FLOP.saved")


@pytest.mark.parametrize(("address", "options", "where"), SELECTIONS)
def test_a_selection_is_the_same_on_the_site_in_commands_and_in_sql(
    address, options, where, browser, served, published
):
    number = explored(browser, f"{served}/index.html{address}")
    ((expected,),) = selected(published, where)
    listed = json.loads(typed("list", *options, "--json").stdout)
    assert number == expected == len(listed) > 25
    trends = typed("trend", *options).stdout.splitlines()
    assert browser.run(LINES) == trends
    loaded = "return performance.getEntriesByType('resource').map(({name}) => name)"
    assert not [name for name in browser.run(loaded) if "duckdb" in name]
    file = list(csv.DictReader(io.StringIO(saved(browser, "csv")["content"])))
    assert sorted(row["model_id"] for row in file) == sorted(row["model_id"] or "" for row in listed)
    assert {(row["model_id"], float(row["training_flop"])) for row in file if row["training_flop"]} == {(row["model_id"] or "", row["training_flop"]) for row in listed if row["training_flop"] is not None}  # fmt: skip
    assert {row["published_precision"] for row in file} <= {"day", "month", "year", ""}
    name, content = (saved(browser, "json")[part] for part in ("name", "content"))
    assert name == f"flop-ledger-{Version(name.removeprefix('flop-ledger-').removesuffix('.json'))}.json"
    written = json.loads(content)
    assert len(written["models"]) == number
    assert [f"{line['frontier']}: {line['growth_sentence']}" for line in written["trends"]] == trends


def test_the_explorers_other_filters_are_those_of_sql(browser, served, published):
    for address, where in OTHER_FILTERS:
        ((expected,),) = selected(published, where)
        assert explored(browser, f"{served}/index.html{address}") == expected > 0, address


def test_an_address_with_what_the_explorer_lacks_is_answered(browser, served):
    count = "return document.getElementById('explorer-count').textContent"
    for address, words in (
        ("?shoe=9&domain=cooking", ("shoe", "domain cooking")),
        ("?least=1e25&sure=0.9", ("probability of 5 to 90 %",)),
        ("?search=" + "z" * 200, ("0 models",)),
    ):
        browser.open(f"{served}/index.html{address}")
        browser.until(f"return {json.dumps(words)}.every((words) => (() => {{ {count} }})().includes(words))")
        assert browser.logged() == []


def test_choices_say_how_many_models_they_would_leave(browser, served, published):
    explored(browser, f"{served}/index.html?country=China")
    choices = browser.run("return [...document.querySelectorAll('[data-facet=domain] label')].map((label) => [label.control.value, label.lastChild.textContent])")  # fmt: skip
    counts = dict(selected(published, f"{FROM_2018} and {CHINESE} and tier = 'record' group by 1", "domain, count(*)"))
    assert {name: int(count) for name, count in choices if count != "0"} == counts


def test_the_address_has_the_whole_state_and_back_works(browser, disk):
    """From disk, where browsers limit what a page may do with its address."""
    browser.open(f"{disk}/index.html")
    number = browser.until(EXPLORED)
    first_rows = browser.run(ROWS)
    browser.run("document.querySelector('[name=domain][value=vision]').click()")
    browser.until(EXPLORED)
    for name, value in (("y", "cost_usd"), ("scale", "linear"), ("colour", "country")):
        browser.run(f"const control = document.querySelector('[name={name}]'); control.value = '{value}'; control.dispatchEvent(new Event('change', {{bubbles: true}}))")  # fmt: skip
        vision = browser.until(EXPLORED)
    browser.run("document.querySelector('[data-zoom=\"2\"]').click()")
    browser.until(EXPLORED)
    browser.run("document.querySelectorAll('#models th button')[3].click()")
    browser.until("return location.search.includes('sort=')")
    rows, address, caption = browser.run(ROWS), browser.run("return location.href"), browser.run("return document.getElementById('chart-words').textContent")  # fmt: skip
    assert caption == "Cost of training, US dollars; vision, from 2018"
    assert vision < number
    browser.open(address)
    assert browser.until(EXPLORED) == vision
    browser.until(has_rows(rows))
    browser.run("document.querySelector('[type=reset]').click()")
    browser.until(f"return (() => {{ {EXPLORED} }})() === {number}")
    browser.until(has_rows(first_rows))
    browser.driver.back()
    browser.until(f"return location.href === {json.dumps(address)}")
    browser.until(f"return (() => {{ {EXPLORED} }})() === {vision}")


def test_pictures_follow_the_selection(browser, disk):
    explored(browser, f"{disk}/index.html?domain=language")
    drawn = saved(browser, "svg")["content"]
    assert "Training compute: language, from 2018" in drawn
    growth = "return document.querySelectorAll('#trends li')[1].textContent.split(', doubling')[0].split(': ×')[1]"
    assert browser.run(growth) in drawn
    assert "CC BY 4.0" in drawn
    assert "var(" not in drawn
    assert "AlphaGo Zero" not in drawn
    kind = "FLOP.saved?.content instanceof Blob && FLOP.saved.content.type"
    browser.run("document.querySelector('[data-save=png]').click()")
    assert browser.until(f"return {kind}") == "image/png"


@pytest.mark.parametrize(
    ("address", "width"), [("", 1280), ("?y=cost_usd", 1280), ("?domain=language", 1280), ("", 390)]
)
def test_names_are_on_no_mark_and_no_threshold(address, width, browser, served):
    explored(browser, f"{served}/index.html{address}", width)
    names, marks, limits = (
        browser.run("""const box = (element) => { const {left, top, right, bottom} = element.getBoundingClientRect(); return [left, top, right, bottom]; }, all = (query) => [...document.querySelectorAll(query)];
      return [all('#chart .mark-text.role-mark text').map((element) => [element.textContent, ...box(element)]).filter(([words]) => words && !words.endsWith('FLOP')), all('#chart .mark-symbol.role-mark path').map(box), all('#chart line[stroke-dasharray]').map((element) => box(element)[1])]""")
    )
    assert ("Grok 3" if width < 700 else "GPT-4") in {name[0] for name in names}
    assert (5 if width < 700 else 15) <= len(names) <= 20
    assert len(limits) == (0 if "cost" in address else 3)
    for text, left, top, right, bottom in names:
        middles = [((mark[0] + mark[2]) / 2, (mark[1] + mark[3]) / 2) for mark in marks]
        assert [spot for spot in middles if left + 1 < spot[0] < right - 1 and top + 3 < spot[1] < bottom - 3] == [], (
            text
        )
        assert [limit for limit in limits if top + 3 < limit < bottom - 3] == [], text


def test_the_table_sorts(browser, served, published):
    browser.open(f"{served}/index.html?from=")
    browser.until(EXPLORED)
    order = "select model_id from estimates order by training_flop desc nulls last, model_id"
    ids = [name for (name,) in published.execute(order).fetchall()]
    assert browser.run(ROWS) == ids[:MOST_ROWS]
    for end in ("arg_min", "arg_max"):  # the largest comes first now
        browser.run("document.querySelectorAll('#models th button')[1].click()")
        ((name,),) = published.execute(f"select {end}(model_id, training_flop) from estimates").fetchall()
        browser.until(f"return document.querySelector('#models tbody tr').id === '{name}'")
    browser.run("document.querySelector('#models th button').click()")
    browser.until("return document.querySelector('#models th').getAttribute('aria-sort') === 'ascending'")
    assert browser.run("return document.querySelector('#models tbody th a').textContent.toLowerCase()")[0] <= "a"


def test_more_rows_are_shown_by_keyboard_and_a_row_has_its_address(browser, served, published):
    from selenium.webdriver.common.keys import Keys

    number = explored(browser, f"{served}/index.html?domain=biology")
    assert number <= MOST_ROWS
    assert browser.run(MORE) is None
    number = explored(browser, f"{served}/index.html?domain=language&to=2022")
    assert number > 2 * MOST_ROWS
    browser.run("document.querySelector('#models tfoot button').focus()")
    for place in range(1, number // MOST_ROWS + 1):
        browser.keys(Keys.ENTER)
        browser.until(
            f"return document.querySelectorAll('#models tbody tr').length === {min(number, (place + 1) * MOST_ROWS)}"
        )
    assert browser.run(MORE) is None
    ((name,),) = published.execute("select model_id from estimates order by training_flop desc nulls last, model_id desc limit 1 offset 430").fetchall()  # fmt: skip
    browser.open(f"{served}/index.html#{name}")
    top = f"const row = document.getElementById('{name}'); return row && row.getBoundingClientRect().top"
    assert 0 <= browser.until(f"const at = (() => {{ {top} }})(); return at !== null && at < 900 && at") < 900


def test_the_chart_answers(browser, served, published):
    browser.open(f"{served}/index.html")
    browser.until(EXPLORED)
    marks = "return document.querySelector('#chart .mark-symbol.role-mark').querySelectorAll('path').length"
    ((estimated,),) = selected(published, f"training_flop is not null and {FROM_2018} and tier = 'record'")
    is_hollow = "coalesce(training_flop_at_least, external_flop) is not null"  # lower bounds, and others' figures
    hollow = f"select count(*) from models_without_estimate where {is_hollow} and {FROM_2018}"
    number = estimated + published.execute(hollow).fetchone()[0]
    assert browser.run(marks) == number
    view = list(csv.DictReader((BUILT / "latest/compute_over_time.csv").read_text().splitlines()))
    assert sum(row["date"] >= "2018" for row in view) == number
    content = json.loads((BUILT / "latest/compute_over_time.json").read_text())
    assert [row["id"] for row in content["models"]] == [row["id"] for row in view]
    assert browser.run(LINES) == [f"{row['frontier']}: {row['growth_sentence']}" for row in content["trends"]]
    browser.run(
        "const mark = document.querySelector('#chart .mark-symbol.role-mark path'); const box = mark.getBoundingClientRect(); const at = {bubbles: true, clientX: box.x + box.width / 2, clientY: box.y + box.height / 2}; mark.dispatchEvent(new PointerEvent('pointerover', at)); mark.dispatchEvent(new PointerEvent('pointermove', at)); mark.dispatchEvent(new MouseEvent('mousemove', at));"
    )
    words = browser.until("return document.querySelector('#vg-tooltip-element.visible')?.textContent")
    assert "90 % interval" in words
    faded = "return document.querySelectorAll('#chart .mark-symbol.role-mark path[opacity=\"0.1\"]').length"
    before = browser.run(faded)
    browser.run(
        "const label = document.querySelector('#chart .role-legend-symbol path'); const box = label.getBoundingClientRect(); label.dispatchEvent(new MouseEvent('click', {bubbles: true, clientX: box.x + 3, clientY: box.y + 3}))"
    )
    assert browser.until(faded) > before
    browser.run("document.querySelector('[data-zoom=\"2\"]').click()")
    browser.until("return location.search.includes('zoom=')")
    browser.until(EXPLORED)
    assert 0 < browser.run(marks) < number
