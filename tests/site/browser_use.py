"""The site in use: search, comparison, SQL, statements; by mouse and by keyboard, from disk and over HTTP."""

import csv
import io
import json

import pytest

from pipeline.answers import ledger
from pipeline.site.page import MOST_ROWS
from tests.builders import typed
from tests.site.conftest import BUILT

AMONG_RESULTS = {"gpt-4": "GPT-4", "palm 540": "PaLM 540B", "alphafold": "AlphaFold 2", "h100": "NVIDIA H100 SXM5"}
FIRST_RESULTS = {
    "mfu": "utilization.html", "1e25": "eu.html", "bibtex": "about.html#cite", "energy": "methods.html#8-energy",
    "energy of gpt-3": "models/gpt-3.html#footprint", "how much did gpt-4 cost": "models/gpt-4.html#footprint",
    "B200 fp8": "utilization.html?chip=nvidia-b200&precision=fp8",
    "doubling time": "methods.html#10-growth", "calibration": "reports/calibration.html", "lora": "plan.html",
    "china": "index.html?country=China", "eu": "eu.html", "GWh": "methods.html#8-energy",
    "confident": "methods.html#5-totals-and-inputs", "A100 utilization": "utilization.html?chip=nvidia-a100-sxm4",
    "what changed for Grok 3": "models/grok-3.html#changes", "own_training_flop": "dictionary.html#:~:text=own_training_flop",
    "PFLOP/s-days": "methods.html#1-conventions", "tCO2e": "methods.html#9-cost-and-carbon",
}  # fmt: skip
DEEPSEEK = ["DeepSeek-V4-Pro", "DeepSeek-V3.2", "DeepSeek-R1", "DeepSeek-R1-0528", "DeepSeek-V3"]  # newest first
MODEL_WORDS = ("palm-540b", "GPT-4", "gpt 3", "LLaMA-65B")
RESULTS = "[...document.querySelectorAll('.finder li bdi')].map((name) => name.textContent)"


@pytest.fixture(params=["disk", "served"])
def site(request):
    return request.getfixturevalue(request.param)


def test_search_finds_models_chips_pages_and_what_the_command_line_takes(browser, disk, published):
    models = {words: f"models/{ledger.find_model(words, published)[0]}.html" for words in MODEL_WORDS}
    browser.open(f"{disk}/index.html")
    for words, name in AMONG_RESULTS.items():
        browser.type_in(".finder input", words)
        browser.until(f"return {RESULTS}.includes('{name}')")
    for words, path in (FIRST_RESULTS | models).items():
        browser.type_in(".finder input", words)
        browser.until(f"return document.querySelector('.finder li a')?.getAttribute('href') === '{path}'")
        page, _, mark = path.partition("#")
        assert not mark or mark.startswith(":~:") or f'id="{mark}"' in (BUILT / page).read_text(encoding="utf-8")
    browser.type_in(".finder input", "deepseek")
    browser.until(f"return {RESULTS}.includes('DeepSeek-V3')")
    assert [name for name in browser.run(f"return {RESULTS}") if name in DEEPSEEK] == DEEPSEEK
    browser.type_in(".finder input", "no such model at all")
    browser.until(
        "return document.querySelectorAll('.finder li').length === 1 && !document.querySelector('.finder li a')"
    )


def test_keyboard_alone_reaches_a_model(browser, served):
    from selenium.webdriver.common.keys import Keys

    is_focused = "document.activeElement.matches('.finder input')"
    browser.open(f"{served}/index.html")
    browser.keys("/mfu")  # the slash moves the focus to the box
    browser.until(f"return {is_focused} && document.activeElement.value === 'mfu'")
    browser.open(f"{served}/index.html")
    for _ in range(20):
        browser.keys(Keys.TAB)
        if browser.run(f"return {is_focused}"):
            break
    browser.keys("palm 540b")
    browser.until(
        "return document.querySelector('.finder li[aria-selected=true] a')?.getAttribute('href') === 'models/palm-540b.html'"
    )
    browser.keys(Keys.ENTER)
    assert browser.until("return document.querySelector('h1')?.textContent === 'PaLM 540B'")


@pytest.mark.parametrize(
    ("address", "place", "content"),
    [
        ("compare.html?models=gpt-4,gone-model", "compare-say", "gone-model"),
        (
            "utilization.html?chip=nvidia-b200&precision=fp8&network=language_transformer",
            "u-answer",
            "1 to 16,384 chips",
        ),
        ("sql.html#select%2042", "sql", "select 42"),
        ("about.html?record=gpt-4&says=2e25#correct", "report", "record: gpt-4"),
    ],
)
def test_an_address_is_taken_or_what_it_lacks_is_said(address, place, content, browser, served):
    browser.open(f"{served}/{address}")
    shown = f"const at = document.getElementById('{place}'); return (at.value ?? at.textContent)"
    browser.until(f"{shown}.includes({json.dumps(content)})")
    assert browser.logged() == []


def test_the_thresholds_are_filtered_by_probability(browser, served, published):
    browser.open(f"{served}/eu.html")
    shown = "return [...document.querySelectorAll('#approaches tbody tr')].filter((row) => !row.hidden).length"
    count = "select count(*) from estimates where training_flop is not null and probability_above_1e{}_fraction >= {}"
    assert browser.run(shown) == published.execute(count.format(25, 0.05)).fetchone()[0]
    for kind, sql in (("above-1e25", count.format(25, 0.9)), ("", count.format(23, 0.05))):
        browser.type_in("[data-filter=kinds]", kind)
        (number,) = published.execute(sql).fetchone()
        browser.until(f"return document.querySelector('[data-count]').textContent.startsWith('{number} ')")
        assert browser.run(shown) == min(number, 50)


def test_models_stand_side_by_side(browser, served):
    browser.open(f"{served}/compare.html?models=gpt-3,palm-540b")
    browser.until("return document.body.dataset.ready")
    heads = "return [...document.querySelectorAll('#compared thead a')].map((link) => link.textContent)"
    message = "return document.getElementById('compare-say').textContent"
    assert browser.run(heads) == ["GPT-3 175B", "PaLM 540B"]
    assert browser.run(message) == ""
    for name in ("alexnet", "gpt-4", "BERT-Large", "t5-11b", "alphafold-2"):
        browser.run(
            "document.getElementById('add').value = arguments[0]; document.getElementById('add-it').click()", name
        )
    assert len(browser.run(heads)) == 6
    assert browser.run(message) != ""


def ask(browser, sql):
    before = browser.run("return document.body.dataset.answered ?? ''")
    browser.run("document.getElementById('sql').value = arguments[0]; document.getElementById('run').click()", sql)
    browser.until(f"return (document.body.dataset.answered ?? '') !== '{before}'")
    return browser.run("return document.getElementById('say').textContent")


def test_sql_answers_refuses_and_downloads(browser, site, published):
    browser.open(f"{site}/sql.html")
    if site.startswith("file:"):
        assert "Choose latest/ledger.duckdb.gz first" in ask(browser, "select 1")
        browser.driver.find_element("id", "database").send_keys(str(BUILT / "latest/ledger.duckdb.gz"))
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
    estimates = published.execute("select model_id, training_flop from estimates order by model_id").fetchall()
    assert [
        (row["model_id"], float(row["training_flop"]) if row["training_flop"] else None) for row in rows
    ] == estimates
    assert rows[0]["formula"] == "'=1+1"


def test_a_long_question_is_stopped_and_a_million_rows_are_cut(browser, served):
    browser.open(f"{served}/sql.html")
    browser.run(
        "document.getElementById('sql').value = 'select count(*) from facts a, facts b, facts c where a.path > b.path and b.path > c.path'; document.getElementById('run').click()"
    )
    browser.until("return document.getElementById('say').textContent === 'running …'")
    browser.run("document.getElementById('stop').click()")
    assert browser.run("return document.getElementById('say').textContent") == "stopped"
    assert "500" in ask(browser, "select range as number from range(1500000)")
    assert browser.run("return document.querySelectorAll('#answer tbody tr').length") == 500


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


def test_a_statement_is_what_export_writes(browser, disk, tmp_path):
    assert typed("export", "gpt-4", "--eu", "--out", tmp_path / "gpt-4.html").returncode == 0
    words = "return document.querySelector('.statement').textContent.replace(/\\s+/g, ' ').trim()"
    browser.open((tmp_path / "gpt-4.html").as_uri())
    written = browser.run(words)
    assert "Hardware-based approach" in written
    browser.open(f"{disk}/statement.html?model=gpt-4")
    browser.until("return document.title.includes('GPT-4')")
    assert browser.run(words) == written
    browser.open(f"{disk}/statement.html?model=constructor")
    browser.until("return document.querySelector('.statement .error')?.textContent.includes('constructor')")


@pytest.mark.parametrize("table", ["estimates", "facts"])
def test_croissant_reads_the_tables(table, published):
    import mlcroissant

    described = mlcroissant.Dataset(jsonld=str(BUILT / "latest/croissant.json"))
    assert described.metadata.ctx.issues.errors == set()
    assert sum(1 for _ in described.records(table)) == published.execute(f"select count(*) from {table}").fetchone()[0]


def test_the_catalogue_is_filtered(browser, served, published):
    browser.open(f"{served}/catalogue.html")
    browser.type_in("[data-filter=kind]", "floor")
    sql = "select count(*) from catalogue_estimates where training_flop is null and training_flop_at_least > 0 and model_id is null"
    number = published.execute(sql).fetchone()[0]
    browser.until(f"return document.querySelector('[data-count]').textContent.startsWith('{number} ')")
    browser.type_in("[data-filter=words]", "no such model at all")
    browser.until("return document.querySelectorAll('#catalogue tbody tr').length === 0")


def test_a_plotted_page_is_drawn_and_runs_nothing_else(browser, tmp_path):
    title = "</script><script>document.title = 'ran'</script><img src=x onerror=\"document.title = 'ran'\">"
    assert typed("plot", "--out", tmp_path / "plot.html", "--title", title).returncode == 0
    browser.open((tmp_path / "plot.html").as_uri())
    assert browser.until('return document.querySelectorAll("#chart svg.marks, #chart canvas").length') == 1
    assert browser.run("return document.title") == title
    assert browser.logged() == []
