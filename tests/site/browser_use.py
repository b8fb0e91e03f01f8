"""The site in use: search, table, chart, comparison, SQL, what-ifs; by mouse and by keyboard, from disk and over HTTP."""

import csv
import io
import json
from urllib.parse import parse_qs, urlsplit

import pytest

from pipeline.commands import ledger
from pipeline.publishing import database
from pipeline.site.build import PAGES, build
from pipeline.site.page import MOST_ROWS, Place
from tests.builders import process, typed

FIGURES = ("training_flop", "training_flop_low", "training_flop_high")
WHAT_IFS = {  # settings of the sliders, and the same on the command line
    "palm-540b": ({"utilization": 0.45}, ("--utilization", "0.45")),
    "alphafold-2": ({"utilization": 0.4}, ("--utilization", "0.4")),
    "gpt-4": ({"utilization": 0.3}, ("--utilization", "0.3")),
    "deepseek-v3": ({"utilization": 0.25}, ("--utilization", "0.25")),
    "alexnet": ({"passes": 45}, ("--epochs", "45")),
    "chinchilla-70b": ({"passes": 2}, ("--epochs", "2")),
    "bloom-176b": ({"utilization": 0.35, "passes": 1.5}, ("--utilization", "0.35", "--epochs", "1.5")),
    "llama-3-1-405b": ({"utilization": 0.4, "chip": "nvidia-a100-sxm4", "format": "bf16"}, ("--utilization", "0.4", "--hardware", "nvidia-a100-sxm4", "--precision", "bf16")),
    "flan-palm-540b": ({"utilization": 0.3}, ("--utilization", "0.3")),
    "gpt-3": ({"format": "fp16", "utilization": 0.25}, ("--precision", "fp16", "--utilization", "0.25")),
}  # fmt: skip


@pytest.fixture(params=["disk", "served"])
def site(request):
    return request.getfixturevalue(request.param)


@pytest.fixture(scope="module")
def published():
    with database.reading() as connection:
        yield connection


def typed_in(browser, selector, text):
    browser.run(
        "const input = document.querySelector(arguments[0]); input.value = arguments[1]; for (const kind of ['input', 'change']) input.dispatchEvent(new Event(kind, {bubbles: true}))",
        selector,
        text,
    )


@pytest.mark.parametrize(
    ("words", "found"),
    [("gpt-4", "GPT-4"), ("palm 540", "PaLM 540B"), ("alphafold", "AlphaFold 2"), ("h100", "NVIDIA H100 SXM5")],
)
def test_search_finds_models_and_chips(words, found, browser, site):
    browser.open(f"{site}/index.html")
    typed_in(browser, ".finder input", words)
    names = browser.until("return [...document.querySelectorAll('.finder li bdi')].map((each) => each.textContent)")
    assert found in names
    typed_in(browser, ".finder input", "no such model at all")
    assert browser.until("return document.querySelector('.finder li')?.textContent.startsWith('No model, chip')")


@pytest.mark.parametrize("words", ["palm-540b", "GPT-4", "gpt 3", "LLaMA-65B"])
def test_search_finds_first_what_the_command_line_takes(words, browser, site, published):
    browser.open(f"{site}/index.html")
    typed_in(browser, ".finder input", words)
    path = browser.until("return document.querySelector('.finder li a')?.getAttribute('href')")
    assert path == f"models/{ledger.find_model(words, published)[0]}.html"


@pytest.mark.parametrize(("words", "path"), [("mfu", "utilization.html"), ("1e25", "eu.html"), ("bibtex", "about.html#cite"), ("energy of gpt-3", "models/gpt-3.html#energy"), ("B200 fp8", "utilization.html?chip=nvidia-b200&precision=fp8"), ("energy", "methods.html#8-energy"), ("doubling time", "methods.html#10-growth"), ("calibration", "reports/calibration.html")])  # fmt: skip
def test_search_finds_pages_and_terms(words, path, browser, site):
    browser.open(f"{site}/index.html")
    browser.keys(f"/{words}")  # the slash moves the focus to the box
    browser.until(f"return document.querySelector('.finder input').value === '{words}' && document.querySelector('.finder li a')?.getAttribute('href') === '{path}'")  # fmt: skip


def test_keyboard_alone_reaches_a_model(browser, site):
    from selenium.webdriver.common.keys import Keys

    browser.open(f"{site}/index.html")
    for _ in range(20):
        browser.keys(Keys.TAB)
        if browser.run("return document.activeElement.matches('.finder input')"):
            break
    browser.keys("palm 540b")
    browser.until("return document.querySelector('.finder li[aria-selected=true]')")
    browser.keys(Keys.ENTER)
    assert browser.until("return document.querySelector('h1')?.textContent === 'PaLM 540B'")


EXPLORED = """const chart = document.getElementById("chart"), found = chart.dataset.trend && chart.dataset.ready;
return found && Number(document.querySelector('#explorer-count strong').textContent.replace(',', ''))"""
ROWS = "return [...document.querySelectorAll('#models tbody tr')].map((row) => row.id)"
LINES = "return [...document.querySelectorAll('#trends li')].map((each) => each.textContent).filter((line) => !line.includes('no line'))"
MORE = "return document.querySelector('#models tfoot:not([hidden]) button')"
FROM_2010 = "published >= '2010'"
CHINESE = "list_contains(string_split(country, ' + '), 'China')"
# The explorer's parameters in the address, the command line's options, and SQL.
SELECTIONS = [
    ("?domain=language&from=2018", ("--domain", "language", "--from-year", "2018"), "domain = 'language' and published >= '2018' and tier = 'record'"),
    ("?organization=Google&to=2024", ("--organization", "Google", "--from-year", "2010", "--to-year", "2024"), f"{FROM_2010} and published < '2025' and list_contains(string_split(parent_organization, ' + '), 'Google') and tier = 'record'"),
    ("?tier=&from=2012&search=net", ("--tier", "all", "--from-year", "2012", "--search", "net"), "published >= '2012' and contains(lower(concat_ws(' ', model_id, name, aliases, organization)), 'net')"),
    ("?domain=language,multimodal&country=China,France&access=open,restricted&least=1e22&most=1e25&tier=record,catalogue", ("--domain", "language,multimodal", "--country", "China,France", "--access", "open,restricted", "--from-year", "2010", "--at-least", "1e22", "--at-most", "1e25", "--tier", "all"), f"{FROM_2010} and domain in ('language', 'multimodal') and ({CHINESE} or list_contains(string_split(country, ' + '), 'France')) and weights_access in ('open', 'restricted') and training_flop between 1e22 and 1e25"),
    ("?tier=&from=2012", ("--tier", "all", "--from-year", "2012"), "published >= '2012'"),
]  # fmt: skip
OF_EXPLORER = [
    ("?least=1e25", f"{FROM_2010} and probability_above_1e25_fraction >= 0.05 and tier = 'record'"),
    ("?least=1e25&sure=0.9", f"{FROM_2010} and probability_above_1e25_fraction >= 0.9 and tier = 'record'"),
    ("?from=&disputed=yes&base=no", "is_disputed and base_model is null and tier = 'record'"),
    ("?chip=NVIDIA+A100+SXM4&most=1e23&to=2023", f"{FROM_2010} and published < '2024' and list_contains(string_split(hardware, ' + '), 'nvidia-a100-sxm4') and training_flop <= 1e23 and tier = 'record'"),
]  # fmt: skip


def explored(browser, address, **how):
    """Return the number of models shown by the explorer at this address, once everything is drawn."""
    browser.open(address, **how)
    return browser.until(EXPLORED)


def selected(published, where, what="count(*)"):
    return published.execute(f"select {what} from all_estimates left join (select model_id, aliases from models) using (model_id) where {where}").fetchall()  # fmt: skip


def saved(browser, kind):
    browser.run("FLOP.saved = null; FLOP.save = (name, content) => { FLOP.saved = {name, content}; }")
    browser.run(f"document.querySelector('[data-save={kind}]').click()")
    return browser.until("return FLOP.saved")


@pytest.mark.parametrize(("site", "address", "options", "where"), [("disk", *SELECTIONS[3]), *(("served", *each) for each in SELECTIONS)], indirect=["site"])  # fmt: skip
def test_a_selection_is_the_same_on_the_site_in_commands_and_in_sql(address, options, where, browser, site, published):
    number = explored(browser, f"{site}/index.html{address}")
    ((wanted,),) = selected(published, where)
    listed = json.loads(process("list", *options, "--json").stdout)
    assert number == wanted == len(listed) > 25
    told = process("trend", *options).stdout.splitlines()
    assert browser.run(LINES) == told
    file = list(csv.DictReader(io.StringIO(saved(browser, "csv")["content"])))
    assert sorted(row["model_id"] for row in file) == sorted(row["model_id"] or "" for row in listed)
    assert {(row["model_id"], float(row["training_flop"])) for row in file if row["training_flop"]} == {(row["model_id"] or "", row["training_flop"]) for row in listed if row["training_flop"] is not None}  # fmt: skip
    assert {row["published_precision"] for row in file} <= {"day", "month", "year", ""}
    written = json.loads(saved(browser, "json")["content"])
    assert len(written["models"]) == number
    assert [f"{line['frontier']}: {line['growth_sentence']}" for line in written["trends"]] == told


@pytest.mark.parametrize(("address", "where"), OF_EXPLORER)
def test_the_explorers_other_filters_are_those_of_sql(address, where, browser, served, published):
    assert explored(browser, f"{served}/index.html{address}") == selected(published, where)[0][0] > 0


@pytest.mark.parametrize(
    ("address", "place", "said"),
    [
        ("index.html?shoe=9&domain=cooking", "explorer-count", "shoe is no filter; no model has domain cooking"),
        ("index.html?least=1e25&sure=0.9", "explorer-count", "more have a probability of 5 to 90 %"),
        ("index.html?search=" + "z" * 200, "explorer-count", "0 models selected"),
        ("compare.html?models=gpt-4,gone-model", "compare-say", "No model has the id gone-model."),
        (
            "utilization.html?chip=nvidia-b200&precision=fp8&network=language_transformer",
            "u-answer",
            "training run on 1 to 16,384 chips",
        ),
        ("sql.html#select%2042", "sql", "select 42"),
        ("about.html?record=gpt-4&says=2e25#correct", "report", "record: gpt-4"),
    ],
)
def test_an_address_is_taken_or_what_it_lacks_is_said(address, place, said, browser, served):
    browser.open(f"{served}/{address}")
    browser.until(
        f"const at = document.getElementById('{place}'); return (at.value ?? at.textContent).includes({json.dumps(said)})"
    )
    assert browser.logged() == []


def test_choices_say_how_many_models_they_would_leave(browser, site, published):
    explored(browser, f"{site}/index.html?country=China")
    choices = browser.run("return [...document.querySelectorAll('[data-facet=domain] label')].map((each) => [each.control.value, each.lastChild.textContent])")  # fmt: skip
    counts = dict(selected(published, f"{FROM_2010} and list_contains(string_split(country, ' + '), 'China') and tier = 'record' group by 1", "domain, count(*)"))  # fmt: skip
    assert {name: int(count) for name, count in choices if count != "0"} == counts


def test_the_address_has_the_whole_state_and_back_works(browser, site):
    number = explored(browser, f"{site}/index.html")
    explorer_rows = browser.run(ROWS)
    browser.run("document.querySelector('[name=domain][value=vision]').click()")
    browser.until(EXPLORED)
    for name, value in (("y", "cost_usd"), ("scale", "linear"), ("colour", "country")):
        browser.run(f"const control = document.querySelector('[name={name}]'); control.value = '{value}'; control.dispatchEvent(new Event('change', {{bubbles: true}}))")  # fmt: skip
        vision = browser.until(EXPLORED)
    browser.run("document.querySelector('[data-zoom=\"2\"]').click()")
    browser.until(EXPLORED)
    browser.run("document.querySelectorAll('#models th button')[3].click()")
    browser.until("return location.search.includes('sort=')")
    shown, address, caption = browser.run(ROWS), browser.run("return location.href"), browser.run("return document.getElementById('chart-words').textContent")  # fmt: skip
    assert caption == "Cost of training, US dollars; vision, from 2010"
    assert vision < number
    assert explored(browser, address) == vision
    browser.until(
        f"return JSON.stringify([...document.querySelectorAll('#models tbody tr')].map((row) => row.id)) === {json.dumps(json.dumps(shown, separators=(',', ':')))}"
    )
    browser.run("document.querySelector('[type=reset]').click()")
    browser.until(f"return (() => {{ {EXPLORED} }})() === {number}")
    browser.until(
        f"return JSON.stringify([...document.querySelectorAll('#models tbody tr')].map((row) => row.id)) === {json.dumps(json.dumps(explorer_rows, separators=(',', ':')))}"
    )
    browser.driver.back()
    browser.until(f"return location.href === {json.dumps(address)}")
    browser.until(f"return (() => {{ {EXPLORED} }})() === {vision}")


def test_pictures_follow_the_selection(browser, site):
    explored(browser, f"{site}/index.html?domain=language")
    drawn = saved(browser, "svg")["content"]
    assert "Training compute: language, from 2010" in drawn
    assert (
        browser.run(
            "return document.querySelectorAll('#trends li')[1].textContent.split(', doubling')[0].split(': ×')[1]"
        )
        in drawn
    )
    assert "CC BY 4.0" in drawn
    assert "var(" not in drawn
    assert "AlphaGo Zero" not in drawn
    kind = browser.answer("async () => { document.querySelector('[data-save=png]').click(); for (let n = 0; n < 100 && !(FLOP.saved?.content instanceof Blob); n++) await new Promise((done) => setTimeout(done, 100)); return FLOP.saved.content.type; }")  # fmt: skip
    assert kind == "image/png"


@pytest.mark.parametrize(
    ("address", "width"), [("", 1280), ("?y=cost_usd", 1280), ("?domain=language", 1280), ("", 390)]
)
def test_record_setters_are_named_and_no_name_is_on_a_mark_or_a_threshold(address, width, browser, served):
    explored(browser, f"{served}/index.html{address}", width=width)
    names, marks, limits = (
        browser.run("""const box = (each) => { const {left, top, right, bottom} = each.getBoundingClientRect(); return [left, top, right, bottom]; }, all = (query) => [...document.querySelectorAll(query)];
      return [all('#chart .mark-text.role-mark text').map((each) => [each.textContent, ...box(each)]).filter(([words]) => words && !words.endsWith('FLOP')), all('#chart .mark-symbol.role-mark path').map(box), all('#chart line[stroke-dasharray]').map((each) => box(each)[1])]""")
    )
    assert "GPT-4" in {name[0] for name in names}
    assert len(names) >= (2 if width < 700 else 5)
    assert len(limits) == (0 if "cost" in address else 3)
    for text, left, top, right, bottom in names:
        middles = [((mark[0] + mark[2]) / 2, (mark[1] + mark[3]) / 2) for mark in marks]
        assert [spot for spot in middles if left + 1 < spot[0] < right - 1 and top + 3 < spot[1] < bottom - 3] == [], (
            text
        )
        assert [limit for limit in limits if top + 3 < limit < bottom - 3] == [], text


def test_the_table_sorts(browser, site, published):
    explored(browser, f"{site}/index.html?from=")
    order = "select model_id from estimates order by training_flop desc nulls last, model_id"
    first = [name for (name,) in published.execute(order).fetchall()]
    assert browser.run(ROWS) == first[:MOST_ROWS]
    for end in ("arg_min", "arg_max"):  # the largest comes first now
        browser.run("document.querySelectorAll('#models th button')[1].click()")
        wanted = published.execute(f"select {end}(model_id, training_flop) from estimates").fetchone()[0]
        browser.until(f"return document.querySelector('#models tbody tr').id === '{wanted}'")
    browser.run("document.querySelector('#models th button').click()")
    browser.until("return document.querySelector('#models th').getAttribute('aria-sort') === 'ascending'")
    assert browser.run("return document.querySelector('#models tbody th a').textContent.toLowerCase()")[0] <= "a"


def test_more_rows_are_shown_by_keyboard_and_a_row_has_its_address(browser, site, published):
    from selenium.webdriver.common.keys import Keys

    number = explored(browser, f"{site}/index.html?domain=biology")
    assert number <= MOST_ROWS
    assert browser.run(MORE) is None
    number = explored(browser, f"{site}/index.html")
    browser.run("document.querySelector('#models tfoot button').focus()")
    for place in range(1, number // MOST_ROWS + 1):
        browser.keys(Keys.ENTER)
        browser.until(
            f"return document.querySelectorAll('#models tbody tr').length === {min(number, (place + 1) * MOST_ROWS)}"
        )
    assert browser.run(MORE) is None
    ((name,),) = published.execute("select model_id from estimates order by training_flop desc nulls last, model_id desc limit 1 offset 430").fetchall()  # fmt: skip
    browser.open(f"{site}/index.html#{name}")
    top = f"const row = document.getElementById('{name}'); return row && row.getBoundingClientRect().top"
    assert 0 <= browser.until(f"const at = (() => {{ {top} }})(); return at !== null && at < 900 && at") < 900


def test_the_chart_answers(browser, site, published):
    explored(browser, f"{site}/index.html")
    marks = "return document.querySelector('#chart .mark-symbol.role-mark').querySelectorAll('path').length"
    wanted = f"training_flop is not null and {FROM_2010} and tier = 'record'"
    stated = f"select count(*) from models_without_estimate where external_flop is not null and {FROM_2010}"
    every = selected(published, wanted)[0][0] + published.execute(stated).fetchone()[0]  # hollow: others' figures
    assert browser.run(marks) == every
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
    assert 0 < browser.run(marks) < every


def test_the_thresholds_are_filtered_by_probability(browser, site, published):
    browser.open(f"{site}/eu.html")
    shown = "return [...document.querySelectorAll('#approaches tbody tr')].filter((row) => !row.hidden).length"
    count = "select count(*) from estimates where training_flop is not null and probability_above_1e{}_fraction >= {}"
    assert browser.run(shown) == published.execute(count.format(25, 0.05)).fetchone()[0]
    for kind, sql in (("above-1e25", count.format(25, 0.9)), ("", count.format(23, 0.05))):
        typed_in(browser, "[data-filter=kinds]", kind)
        (number,) = published.execute(sql).fetchone()
        browser.until(f"return document.querySelector('[data-count]').textContent.startsWith('{number} ')")
        assert browser.run(shown) == min(number, 50)


def test_models_stand_side_by_side(browser, site):
    browser.open(f"{site}/compare.html?models=gpt-3,palm-540b")
    browser.until("return document.body.dataset.ready")
    heads = "return [...document.querySelectorAll('#compared thead a')].map((each) => each.textContent)"
    assert browser.run(heads) == ["GPT-3 175B", "PaLM 540B"]
    for name in ("alexnet", "gpt-4", "BERT-Large", "t5-11b", "alphafold-2"):
        browser.run(
            "document.getElementById('add').value = arguments[0]; document.getElementById('add-it').click()", name
        )
    assert len(browser.run(heads)) == 6
    assert "remove one" in browser.run("return document.getElementById('compare-say').textContent")


def ask(browser, sql):
    before = browser.run("return document.body.dataset.answered ?? ''")
    browser.run("document.getElementById('sql').value = arguments[0]; document.getElementById('run').click()", sql)
    browser.until(f"return (document.body.dataset.answered ?? '') !== '{before}'")
    return browser.run("return document.getElementById('say').textContent")


def test_sql_answers_refuses_and_downloads(browser, site, published):
    browser.open(f"{site}/sql.html")
    assert ask(browser, "select count(*) as models from estimates").startswith("1 row")
    assert browser.run("return document.querySelector('#answer td').textContent") == str(
        published.execute("select count(*) from estimates").fetchone()[0]
    )
    for refused in (
        "select * from read_csv('/etc/passwd')",
        "delete from estimates",
        "load icu",
        "set enable_external_access = true",
        "selec 1",
    ):
        ask(browser, refused)
        assert browser.run("return document.getElementById('say').className") == "error", refused
    assert ask(
        browser, "select model_id, training_flop, '=1+1' as formula from estimates order by model_id"
    ).startswith(f"{published.execute('select count(*) from estimates').fetchone()[0]} rows")
    browser.run("FLOP.save = (name, content) => { FLOP.saved = content; }; document.getElementById('csv').click()")
    rows = list(csv.DictReader(io.StringIO(browser.run("return FLOP.saved"))))
    wanted = published.execute("select model_id, training_flop from estimates order by model_id").fetchall()
    assert [(row["model_id"], float(row["training_flop"]) if row["training_flop"] else None) for row in rows] == wanted
    assert rows[0]["formula"] == "'=1+1"


def test_a_long_question_is_stopped_and_a_million_rows_are_cut(browser, served):
    browser.open(f"{served}/sql.html")
    browser.run(
        "document.getElementById('sql').value = 'select count(*) from facts a, facts b, facts c where a.path > b.path and b.path > c.path'; document.getElementById('run').click()"
    )
    browser.until("return document.getElementById('say').textContent === 'running …'")
    browser.run("document.getElementById('stop').click()")
    assert browser.run("return document.getElementById('say').textContent") == "stopped"
    said = ask(browser, "select range as number from range(1500000)")
    assert "first 500 are shown" in said
    assert browser.run("return document.querySelectorAll('#answer tbody tr').length") == 500


@pytest.mark.parametrize("model", WHAT_IFS)
def test_a_what_if_has_the_digits_of_the_command_line(model, browser, served, published):
    supposed, options = WHAT_IFS[model]
    browser.open(f"{served}/models/{model}.html")
    rest = browser.answer("() => FLOP.estimate({})")
    assert "error" not in rest, rest["error"]
    stated = published.execute(f"select {', '.join(FIGURES)} from estimates where model_id = ?", [model]).fetchone()
    assert [rest[name] for name in FIGURES] == pytest.approx(list(stated), rel=1e-12)
    found = browser.answer("(changes) => FLOP.estimate(changes)", supposed)
    done = typed("estimate", model, *options, "--json")
    assert done.returncode == 0, done.stderr
    after = json.loads(done.stdout)["after"]
    assert [found[name] for name in FIGURES] == pytest.approx([after[name] for name in FIGURES], rel=1e-9)


def test_a_slider_moves_the_answer_and_goes_back(browser, site):
    browser.open(f"{site}/models/palm-540b.html")
    headline = "return document.querySelector('[data-headline]').textContent"
    rest = browser.run(headline)
    for value, words in (("0.2", "by GPU time"), ("0.6", "by GPU time")):
        worked = browser.run("return Number(document.getElementById('what-if').dataset.worked ?? 0)")
        typed_in(browser, "#suppose-utilization", value)
        assert words in browser.run("return document.querySelector('[data-methods]').textContent")
        browser.until(f"return Number(document.getElementById('what-if').dataset.worked ?? 0) > {worked}")
        assert "own rules" in browser.run("return document.getElementById('supposed-say').textContent")
    worked = browser.run("return Number(document.getElementById('what-if').dataset.worked)")
    browser.run("document.getElementById('suppose-nothing').click()")
    browser.until(f"return Number(document.getElementById('what-if').dataset.worked) > {worked}")
    assert browser.run(headline) == rest


@pytest.mark.parametrize("lacking", ["WebAssembly", "DecompressionStream"])
def test_a_browser_that_lacks_something_is_told_so(lacking, browser, served):
    script = browser.driver.execute_cdp_cmd(
        "Page.addScriptToEvaluateOnNewDocument", {"source": f"delete self.{lacking}; self.{lacking} = undefined;"}
    )
    try:
        browser.open(f"{served}/sql.html")
        assert lacking in browser.run("return document.getElementById('say').textContent")
        browser.open(f"{served}/index.html")
        assert browser.run("return document.querySelectorAll('#models tbody tr').length") == MOST_ROWS
    finally:
        browser.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)


def test_a_statement_is_what_export_writes(browser, site, tmp_path):
    assert process("export", "gpt-4", "--eu", "--out", tmp_path / "gpt-4.html").returncode == 0
    words = "return document.querySelector('.statement').textContent.replace(/\\s+/g, ' ').trim()"
    browser.open((tmp_path / "gpt-4.html").as_uri())
    written = browser.run(words)
    assert "Hardware-based approach" in written
    browser.open(f"{site}/statement.html?model=gpt-4")
    browser.until("return document.title.includes('GPT-4')")
    assert browser.run(words) == written
    browser.open(f"{site}/statement.html?model=constructor")
    assert (
        browser.until("return document.querySelector('.statement .error')?.textContent")
        == "No such statement: constructor."
    )


@pytest.mark.parametrize("table", ["estimates", "facts"])
def test_croissant_reads_the_tables(table, published):
    import mlcroissant

    from tests.site.conftest import BUILT

    described = mlcroissant.Dataset(jsonld=str(BUILT / "latest/croissant.json"))
    assert described.metadata.ctx.issues.errors == set()
    assert sum(1 for _ in described.records(table)) == published.execute(f"select count(*) from {table}").fetchone()[0]


def test_the_explorer_takes_what_the_command_line_takes(browser, site):
    given = {"network": "other_transformer", "precision": "bf16", "chip": "nvidia-a100-sxm4", "chips": "8"}
    words = ("--family", "vit", "--precision", "bf16", "--hardware", "A100-SXM4", "--chips", "8", "--json")
    found = json.loads(process("utilization", *words).stdout)  # otherwise this process keeps the ledger open
    browser.open(f"{site}/utilization.html")
    for name, value in given.items():
        typed_in(browser, f"#u-{name}", value)
    like = found["measured"]
    run, middle, low, high = (
        f"{float(f'{100 * share:.3g}'):g} %" for share in (found["taken"]["p50"], like["p50"], like["p05"], like["p95"])
    )
    told = f"Take {run} for a training run on 8 chips. Similar measurements, mostly tuned benchmarks, reach {middle}, 90 % of them between {low} and {high}"
    assert browser.until(f"return document.getElementById('u-answer').textContent.includes({json.dumps(told)})")


def test_the_catalogue_is_filtered(browser, site, published):
    browser.open(f"{site}/catalogue.html")
    typed_in(browser, "[data-filter=kind]", "interval")
    sql = "select count(*) from catalogue_estimates where training_flop is null and training_flop_low is not null and model_id is null"
    number = published.execute(sql).fetchone()[0]
    browser.until(f"return document.querySelector('[data-count]').textContent.startsWith('{number} ')")
    typed_in(browser, "[data-filter=words]", "no such model at all")
    browser.until("return document.querySelectorAll('#catalogue tbody tr').length === 0")


def test_a_plotted_page_is_drawn_and_runs_nothing_else(browser, tmp_path):
    title = "</script><script>document.title = 'ran'</script><img src=x onerror=\"document.title = 'ran'\">"
    assert process("plot", "--out", tmp_path / "plot.html", "--title", title).returncode == 0
    browser.open((tmp_path / "plot.html").as_uri())
    assert browser.until('return document.querySelectorAll("#chart svg.marks, #chart canvas").length') == 1
    assert browser.run("return document.title") == title
    assert browser.logged() == []


def test_each_fact_has_a_report_of_an_error_filled_in(browser, miniature, tmp_path):
    build(tmp_path / "site", Place("", "https://example.org/code"), miniature, PAGES)
    page = min((tmp_path / "site/models").glob("*.html"))
    facts = [fact for group in json.loads(page.with_suffix(".json").read_text())["facts"].values() for fact in group]
    browser.open(page.as_uri())
    links = browser.run(
        'return [...document.querySelectorAll("tr[data-path] a[href*=issues]")].map((each) => each.href)'
    )
    forms = [parse_qs(urlsplit(link).query, strict_parsing=True) for link in links]
    assert [form["path"] for form in forms] == [[fact["path"]] for fact in facts]
    assert all(form["record"] == [page.stem] and form["template"] == ["correction.yaml"] for form in forms)
    values = browser.run(
        'return [...document.querySelectorAll("tr[data-path] td:nth-child(2)")].map((each) => each.firstChild.textContent)'
    )
    assert [form["why"][0].partition(" says: ")[2] for form in forms] == values
