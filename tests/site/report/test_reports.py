"""Single reports: numbers of rows, conditions of sentences, and the template that a description becomes."""

import re

import duckdb
import jinja2
import pytest
import yaml

from pipeline import stages
from pipeline.base.paths import ROOT
from pipeline.publishing import report_views
from pipeline.site import report
from pipeline.site.ledger import open_ledger
from pipeline.site.page import FOLDER
from pipeline.site.pages import reports
from pipeline.site.report import charts
from tests.site.report.builders import (
    HOSTILE,
    NEAR,
    drawn,
    error_row,
    estimate,
    hidden_row,
    measured_row,
    models_with,
    peak_row,
    read,
    tables,
)


def text(page):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def test_a_description_becomes_a_template(monkeypatch):
    block = {
        "for": "kind in kinds", "heading": "About {{ kind }}", "id": "kind", "text": "One.\n<ul><li>Two</li></ul>", "table": "models",
        "caption": "All", "columns": {"Name": "name", "Size, FLOP >": "size | upper", "Both": "{{ row.name }}, {{ kind }}"}, "after": "End.",
    }  # fmt: skip
    monkeypatch.setitem(
        report.REPORTS, "new", {"title": "Models", "blocks": [block, {"if": "kinds == 3", "text": "no"}]}
    )
    loader = jinja2.DictLoader({"report.html": "{% block body %}{% endblock %}", "new": report.template_source("new")})
    template = jinja2.Environment(loader=loader, trim_blocks=True).get_template("new")
    page = template.render(kinds=["x"], table={"models": [{"name": "a", "size": "b"}]}.get)
    assert (
        page.split()
        == (
            '<h2 id="kind">About x</h2> <p>One.</p> <ul><li>Two</li></ul> <div class="scroll" tabindex="0" role="region"'
            ' aria-label="Table"><table> <caption>All</caption> <thead><tr><th scope="col">Name</th><th scope="col" class="n">Size,'
            ' FLOP</th><th scope="col">Both</th></tr></thead><tbody> <tr><th scope="row">a</th><td class="n">B</td><td>a, x</td></tr>'
            " </tbody></table></div> <p>End.</p>"
        ).split()
    )
    assert not template.render(kinds=["x"], table={"models": []}.get).strip()


def test_reports_show_tables_of_the_stages_views_of_them_and_values_of_the_release(published_database):
    names = {name for names in stages.TABLES.values() for name in names} | report_views.statements().keys()
    sources = [*map(report.template_source, report.REPORTS), *(path.read_text() for path in FOLDER.rglob("*.html"))]
    assert {name for source in sources for name in re.findall(r'\btable\("(\w+)"\)', source)} <= names
    with open_ledger(ROOT) as ledger:
        values = reports.report_values(ledger)
        assert all(values["chart"](name) for name in charts.ALL)


def test_counts_by_stratum_and_reason():
    def row(name, published, corrected, reason=None, stratum="far", **changed):
        return {
            "snapshot": "t", "name": name, "published_flop": published, "corrected_flop": corrected, "reason": reason, "certainty": "clear",
            "factors": "2 * 3", "note": "said", "stratum": stratum, "sampling_weight": 3.5 if stratum == "near" else 1.0, "record_id": "t",
            "path": f"rows[{name}]", **changed,
        }  # fmt: skip

    rows = [
        row("small", 1.0, 1.5, "data", "near"), row("large", 1e3, 1.0, "unit"), row("other", 1.0, None, "other_model"),
        row("doubt", 1.0, 1.0, "chips", certainty="open"), row("fine", 1.0, 1.0, stratum="near"), row("slip", 8.0, 1.0, "unit"),
    ]  # fmt: skip
    body = text(drawn("adjudications", adjudications=rows))
    # drawn, corrected, of another model, suspected, nothing found wrong, corrected by more than 2x
    assert "further than 2× 4 of 4 2 1 1 0 2" in body
    assert "within 2× 2 of 7 1 0 0 1 0" in body
    assert body.index(" large t 1,000") < body.index(" slip t 8") < body.index(" small t 1 1.5 ×1.5")
    hostile = row(HOSTILE, 1.0, 2.0, "data", note=HOSTILE, factors=HOSTILE)
    place = {"record_kind": "adjudications", "record_id": "t", "source": "paper"}
    quote = {**place, "path": hostile["path"], "quote_index": 0, "text": HOSTILE, "locator": HOSTILE}
    page = drawn("adjudications", adjudications=[hostile], fact_quotes=[quote], sources=[{**place, "title": HOSTILE}])
    assert HOSTILE not in page
    assert page.count("&lt;script&gt;") == 6
    read(page)


def test_a_dispute_is_told_by_shape_too():
    chart = charts.methods([estimate("a", 0.2), estimate("b", 1.0)], NEAR)
    marks = re.findall(r'<path[^>]* d="([^"]+)"[^>]* fill="var\(--(group-[12])\)"', chart)
    shapes = {colour: path[:40] for path, colour in marks}
    assert set(shapes) == {"group-1", "group-2"}
    assert len(set(shapes.values())) == 2


def test_a_fine_tune_is_no_training_run_of_its_own():
    given = models_with([estimate("Base", None), estimate("Tuned", None, training_flop=1.1e20)])
    given["models"][1]["base_model"] = given["estimates"][1]["base_model"] = "Base"
    page = text(drawn("compute", **given))
    assert "with an estimate are those of Base. The totals of 1 fine-tuned models include" in page


def test_imputation_says_what_the_rows_say():
    hidden = [
        hidden_row("epochs_assumed", "one_pass", -0.2),
        hidden_row("derived", "two_a_parameter", 0.5, is_in_interval=False),
        hidden_row("peak_by_year", "year_default", 0.3),
        hidden_row("peak_by_year", "year_mean_of_ledger", 0.1),  # another way to impute the same fact
    ]
    errors = [error_row("derived", "two_a_parameter", share=0.5)]
    page = drawn(
        "imputation", imputation_backtests=hidden, imputation_errors=errors, year_peak_comparison=[peak_row("epoch")]
    )
    assert "Of 3 such facts of 3 models, the 90 % interval of the imputed value contains 2 (67 %)" in text(page)
    assert "×1.11 ×0.90 ×1.22" in text(page)  # e^0.1, e^-0.1 and e^0.2 of the row


def test_the_page_of_defaults_says_what_records_and_queries_say(miniature_site, miniature):
    page = text((miniature_site / "reports/methods.html").read_text())
    record = yaml.safe_load((miniature / "data/records/defaults/utilization.yaml").read_text())
    for each in record["values"]:
        assert f"{each['applies_to']} {each['value']:g}" in page
    with duckdb.connect(str(miniature / "data/published/ledger.duckdb"), read_only=True) as book:
        ((models, agreed),) = book.sql(
            "select count(*), avg(1 - is_disputed::int) from estimates where domain = 'vision' and method_ratio is not null"
        ).fetchall()
    assert models < 3 or f"vision {models} {100 * agreed:.0f} %" in page.replace("\N{NO-BREAK SPACE}", " ")


def test_what_breaks_the_default_is_worked_out_from_the_rows():
    dense = [measured_row("vgg-16", 1.2), measured_row("vgg-16", 0.3, precision="fp16")]
    light = [measured_row("mobilenet-v2", 0.04, network="depthwise_convolution")]
    page = text(drawn("utilization", **tables(dense + light)))
    # 0.4 / 0.04; one chip, one precision: 0.04 / 1.2; the speed went from 120 to 30, the peak did not move
    assert "median 0.04: ×10 below the default, which is within 2× of the measurement in 0 of 1 rows" in page
    assert "they reach 3.3 % of the utilization of dense convolutional networks (median of 1 pairs" in page
    assert "1 row has more counted operations than the peak allows, up to 1.20: vgg-16" in page
    assert "raised the peak ×1 and the speed ×0.25, so the share of the peak went from 1.20 to 0.30." in page


def test_nothing_is_said_of_what_was_not_measured():
    page = drawn("utilization", **tables([measured_row("resnet-50", 0.35)]))
    for heading in ("Depthwise convolutions: far below", "Convolutional networks on tensor cores", "Above 1"):
        assert heading not in page


def test_an_estimate_stands_beside_the_nearest_measured_case_and_its_kind_in_the_picture():
    case = {"network": "dense_convolution", "precision": "fp16", "chips": 8.0, "hardware_id": "chip"}
    gold = {"gold_group_id": "lab", "run": "a", "name": "Lab's run", "published": "2024", "hours_cover": "training",
            "owner": "lab", "chip_seconds": 3600.0, "implied_utilization_fraction": 0.25}  # fmt: skip
    measured = {
        "measurement_id": "bench",
        "row": "a",
        "measurement_source": "bench",
        "measured_utilization_fraction": 0.31,
    }
    page = drawn(
        "utilization", **tables([measured_row("resnet-50", 0.35)]), gold_runs=[case | gold], measured_cases=[case | measured]
    )  # fmt: skip
    row = page[page.index("Lab&#39;s run") :]
    assert row.index("0.25") < row.index("0.31") < row.index("0.31 bench")
    assert "gold runs, 2024: 0.25 (1)" in page


def test_hardware_counters_have_the_ratios_that_others_found(published_database):
    with open_ledger(ROOT) as ledger:
        steps = ledger.connection.sql("from executed_steps").df()
        layers = ledger.connection.sql(
            "select network, executed_flop / counted_flop as ratio from executed_flop"
            " where counted_flop > 0 and (network = 'product' or network = 'ResNet-50' and \"case\" like '%x%')"
        ).df()
    # Somebody else's sums of the same files: 2.09 to 2.10 (climate), 1.96 (DeepCAM in FP32) and 2.22 (on tensor cores).
    assert {*steps.backward_to_forward_ratio.round(2)} == {1.96, 2.09, 2.10, 2.22}
    assert (steps.optimizer_fraction.min(), steps.optimizer_fraction.max()) == pytest.approx((0.0003, 0.0006), abs=5e-5)
    excess = steps[["forward_over_fp32_ratio", "backward_over_fp32_ratio"]].dropna().to_numpy().ravel()
    assert [round(100 * (ratio - 1)) for ratio in excess] == [16, 31, 7, 7]
    products, convolutions = (layers[layers.network == name].ratio for name in ("product", "ResNet-50"))
    assert products.tolist() == pytest.approx([1, 1], abs=1e-3)
    assert (len(convolutions), convolutions.min(), convolutions.max()) == pytest.approx((15, 1.0, 1.31), abs=0.005)
