"""The site in use: search, table, chart, comparison, SQL, what-ifs; by mouse and by keyboard alone, from disk and over HTTP."""

import csv
import io
import json

import duckdb
import pytest

from pipeline.commands import ledger
from pipeline.paths import ROOT
from pipeline.site.page import MOST_ROWS
from tests.builders import process, typed

FIGURES = ("training_flop", "training_flop_low", "training_flop_high")
WHAT_IFS = {  # what the sliders suppose, and the same on the command line
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
    with duckdb.connect(str(ROOT / "data/published/ledger.duckdb"), read_only=True) as ledger:
        yield ledger


def typed_in(browser, selector, text):
    browser.run(
        "const input = document.querySelector(arguments[0]); input.value = arguments[1]; input.dispatchEvent(new Event('input', {bubbles: true}))",
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
    assert browser.until("return document.querySelector('.finder li')?.textContent.startsWith('Neither')")


@pytest.mark.parametrize("words", ["PaLM", "palm-540b", "GPT-4", "gpt 3", "LLaMA-65B"])
def test_search_finds_first_what_the_command_line_takes(words, browser, site, published):
    browser.open(f"{site}/index.html")
    typed_in(browser, ".finder input", words)
    path = browser.until("return document.querySelector('.finder li a')?.getAttribute('href')")
    assert path == f"models/{ledger.find_model(words, published)}.html"


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


def test_the_table_sorts_and_filters(browser, site, published):
    browser.open(f"{site}/index.html")
    shown = (
        "return [...document.querySelectorAll('#models tbody tr')].filter((row) => !row.hidden).map((row) => row.id)"
    )
    models = published.execute(
        "select model_id from estimates order by training_flop desc nulls last, model_id"
    ).fetchall()
    first = [name for (name,) in models]
    assert browser.run(shown) == first[: MOST_ROWS if len(first) > 2 * MOST_ROWS else None]
    typed_in(browser, "#table-domain", "biology")
    wanted = {
        name for (name,) in published.execute("select model_id from estimates where domain = 'biology'").fetchall()
    }
    browser.until(f"return document.getElementById('table-count').textContent === '{len(wanted)} models'")
    assert set(browser.run(shown)) == wanted
    typed_in(browser, "#table-domain", "")
    browser.until(f"return document.getElementById('table-count').textContent === '{len(first)} models'")
    assert browser.run(shown) == first
    browser.run("document.querySelector('#models th button').click()")
    browser.until("return document.querySelector('#models th').getAttribute('aria-sort')")
    names = browser.run(
        "return [...document.querySelectorAll('#models tbody th a')].map((each) => each.textContent.toLowerCase())"
    )
    assert names[0][0] <= "a"
    assert browser.run("return document.querySelector('#models th').getAttribute('aria-sort')") == "ascending"
    for end in ("arg_max", "arg_min"):  # the largest first, then the smallest
        browser.run("document.querySelectorAll('#models th button')[1].click()")
        assert (
            browser.run(shown)[0]
            == published.execute(f"select {end}(model_id, training_flop) from estimates").fetchone()[0]
        )


def test_a_row_that_the_page_leaves_out_has_its_address(browser, site, published):
    last = "select model_id from estimates order by training_flop desc nulls last, model_id desc limit 1 offset 430"
    ((name,),) = published.execute(last).fetchall()
    browser.open(f"{site}/index.html#{name}")
    top = f"const row = document.getElementById('{name}'); return row && row.getBoundingClientRect().top"
    assert 0 <= browser.until(f"const at = (() => {{ {top} }})(); return at !== null && at < 900 && at") < 900
    browser.open(f"{site}/index.html")
    number = published.execute("select count(*) from estimates").fetchone()[0]
    browser.run("document.querySelector('#models tfoot button').click()")
    browser.until(f"return document.querySelectorAll('#models tbody tr').length === {number}")
    assert browser.run("return document.querySelector('#models tfoot')") is None


def test_the_chart_answers(browser, site, published):
    browser.open(f"{site}/index.html")
    browser.until("return document.getElementById('chart').dataset.ready")
    marks = "return [...document.querySelectorAll('#chart .mark-symbol.role-mark path')].length"
    number = browser.run(marks)
    wanted = "select count(*) from estimates_with_methods where training_flop is not null and base_model is null and published_year >= 2010"
    assert number == published.execute(wanted).fetchone()[0]
    browser.run(
        "const mark = document.querySelector('#chart .mark-symbol.role-mark path'); const box = mark.getBoundingClientRect(); const at = {bubbles: true, clientX: box.x + box.width / 2, clientY: box.y + box.height / 2}; mark.dispatchEvent(new PointerEvent('pointerover', at)); mark.dispatchEvent(new PointerEvent('pointermove', at)); mark.dispatchEvent(new MouseEvent('mousemove', at));"
    )
    words = browser.until("return document.querySelector('#vg-tooltip-element.visible')?.textContent")
    assert "90 % interval" in words
    before = browser.run(
        "return document.querySelectorAll('#chart .mark-symbol.role-mark path[opacity=\"0.1\"]').length"
    )
    browser.run(
        "const label = document.querySelector('#chart .role-legend-symbol path'); const box = label.getBoundingClientRect(); label.dispatchEvent(new MouseEvent('click', {bubbles: true, clientX: box.x + 3, clientY: box.y + 3}))"
    )
    assert (
        browser.until("return document.querySelectorAll('#chart .mark-symbol.role-mark path[opacity=\"0.1\"]').length")
        > before
    )
    typed_in(browser, "#chart-group", "Speech")
    assert 0 < browser.until(f"const number = (() => {{ {marks} }})(); return number < {number} && number") < number


def test_the_thresholds_are_filtered_by_probability(browser, site, published):
    browser.open(f"{site}/eu.html")
    shown = "return [...document.querySelectorAll('#approaches tbody tr')].filter((row) => !row.hidden).length"
    count = "select count(*) from estimates where training_flop is not null and probability_above_1e{}_fraction >= {}"
    assert browser.run(shown) == published.execute(count.format(25, 0.05)).fetchone()[0]
    for kind, sql in (("above-1e25", count.format(25, 0.9)), ("", count.format(23, 0.05))):
        typed_in(browser, "[data-filter=kinds]", kind)
        assert browser.run(shown) == published.execute(sql).fetchone()[0]


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
        assert browser.run("return document.querySelectorAll('#models tbody tr').length") > 100
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


def test_croissant_reads_the_estimates(published):
    import mlcroissant

    from tests.site.conftest import BUILT

    described = mlcroissant.Dataset(jsonld=str(BUILT / "latest/croissant.json"))
    assert described.metadata.ctx.issues.errors == set()
    assert (
        sum(1 for _ in described.records("estimates"))
        == published.execute("select count(*) from estimates").fetchone()[0]
    )


def test_the_explorer_takes_what_the_command_line_takes(browser, site):
    given = {"network": "other_transformer", "precision": "bf16", "chip": "nvidia-a100-sxm4", "chips": "8"}
    words = ("--family", "vit", "--precision", "bf16", "--hardware", "A100-SXM4", "--chips", "8", "--json")
    found = json.loads(process("utilization", *words).stdout)  # this one holds the ledger open otherwise
    browser.open(f"{site}/utilization.html")
    for name, value in given.items():
        typed_in(browser, f"#u-{name}", value)
    like = found["measured"]
    run, middle, low, high = (
        f"{float(f'{100 * share:.3g}'):g} %" for share in (found["taken"]["p50"], like["p50"], like["p05"], like["p95"])
    )
    told = f"Take {run} for a training run on 8 chips. Like measurements, mostly tuned benchmarks, reach {middle}, 90 % of them between {low} and {high}"
    assert browser.until(f"return document.getElementById('u-answer').textContent.includes({json.dumps(told)})")


def test_the_catalogue_is_filtered(browser, site, published):
    browser.open(f"{site}/catalogue.html")
    typed_in(browser, "[data-filter=kind]", "interval")
    shown = "return [...document.querySelectorAll('#catalogue tbody tr')].filter((row) => !row.hidden).length"
    browser.until("return !document.querySelector('#catalogue tfoot')")  # all rows are there
    sql = "select count(*) from catalogue_estimates where training_flop is null and training_flop_low is not null and model_id is null"
    assert browser.run(shown) == published.execute(sql).fetchone()[0]
    typed_in(browser, "[data-filter=words]", "no such model at all")
    assert browser.run(shown) == 0


def test_a_plotted_page_is_drawn_and_runs_nothing_else(browser, tmp_path):
    title = "</script><script>document.title = 'ran'</script><img src=x onerror=\"document.title = 'ran'\">"
    assert process("plot", "--out", tmp_path / "plot.html", "--title", title).returncode == 0
    browser.open((tmp_path / "plot.html").as_uri())
    assert browser.until('return document.querySelectorAll("#chart svg.marks, #chart canvas").length') == 1
    assert browser.run("return document.title") == title
    assert browser.logged() == []
