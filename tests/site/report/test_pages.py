"""All pages: numbers equal those of queries, charts have descriptions, and hostile text stays text."""

import re

from pipeline.base.text.numbers import percent
from pipeline.publishing import database
from pipeline.records import params
from pipeline.site.page import NOWHERE, Site
from pipeline.site.report import REPORTS
from schemas import vocabulary
from schemas.params import Params
from tests.site.report.builders import (
    HOSTILE,
    drawn,
    error_row,
    estimate,
    hidden_row,
    main,
    measured_row,
    models_with,
    peak_row,
    read,
    tables,
)


def of(site, name):
    return main((site / f"reports/{name}.html").read_text())


def test_the_smallest_ledger_has_every_page_and_about_leads_to_them(miniature_site):
    about = main((miniature_site / "about.html").read_text())
    for name, report in REPORTS.items():
        read(of(miniature_site, name))
        assert (
            f'<dt><a href="reports/{name}.html">{report["label"]}</a></dt><dd><small>{report["summary"]}</small></dd>'
            in about
        )


def test_tables_scroll_by_themselves(miniature_site):
    """Otherwise a narrow screen would scroll the whole page sideways."""
    for name in REPORTS:
        assert len(re.findall(r"<table>", of(miniature_site, name))) == len(
            re.findall(r'<div class="scroll"[^>]*><table>', of(miniature_site, name))
        ), name


def test_every_word_of_the_vocabulary_has_its_meaning():
    assert set(vocabulary.DISPUTE_CAUSES) == set(vocabulary.DisputeCause)
    for kind in (vocabulary.EvidenceClass, vocabulary.HeadlineMethod, vocabulary.Rejection, vocabulary.Network):
        assert all(word.words for word in kind), kind


def test_every_figure_is_told_in_words(miniature_site):
    for name in REPORTS:
        reader = read(of(miniature_site, name))
        assert reader.figures == reader.captions == len(reader.drawn)
        for figure in reader.drawn:
            assert len(figure) > 30, name


def test_prose_says_what_queries_say(miniature_site, miniature):
    with database.reading(miniature) as book:
        ((known, both, agreed, middle),) = book.sql(
            "select count(training_flop), count(method_ratio), count(*) filter (where not is_disputed), median(method_ratio) from estimates"
        ).fetchall()
        ((models,),) = book.sql("select count(*) from models").fetchall()
        ((quoted, every),) = book.sql(
            "select count(*) filter (where evidence = 'quoted'), count(*) from facts"
        ).fetchall()
        ((near, rows),) = book.sql(
            "select count(*) filter (where is_within_factor_two), count(*) from checks"
        ).fetchall()
        ((held, hidden),) = book.sql(
            "select count(*) filter (where is_in_interval), count(*) from imputation_backtests"
            " where quantity not in ('operation_count_flop', 'training_flop') and rule not like 'year_m%_of_ledger'"
        ).fetchall()
    compared, used = (" ".join(of(miniature_site, name).split()) for name in ("compute", "utilization"))
    about = " ".join(main((miniature_site / "about.html").read_text()).split()).replace("\N{NO-BREAK SPACE}", " ")
    assert f"Of {every:,} facts {100 * quoted / every:.0f} % are quoted" in about
    assert f"of {hidden} known facts that were hidden for the test, {percent(held, hidden)} are in" in about
    assert f"Of {models} models, {known} have an estimate" in compared
    assert (
        f"For {agreed} ({percent(agreed, both)}), the methods agree within 2×; the median of operation count / GPU time is {middle:.2f}"
        in compared
    )
    assert f"within 2× of {near} of them ({percent(near, rows)})" in used


def imputed(text):
    return {
        "imputation_backtests": [hidden_row(text, text, 0.3)],
        "imputation_errors": [error_row(text, text)],
        "year_peak_comparison": [peak_row(text)],
    }


def test_empty_tables_make_pages():
    for name in REPORTS:
        read(drawn(name))


def test_hostile_text_stays_text():
    rows = [measured_row(HOSTILE, 1.1), measured_row("mobilenet-v2", 0.1, network="depthwise_convolution")]
    erratum = {"erratum_id": "x", "figure": HOSTILE, "published_figure": 1.0, "corrected_figure": 2.0, "factors": "1 * 2", "explanation": HOSTILE}  # fmt: skip
    estimates = [estimate(HOSTILE, 0.2, domain=HOSTILE, precision=HOSTILE)]
    for page in (
        drawn("utilization", **tables(rows, text=HOSTILE)),
        drawn("imputation", **imputed(HOSTILE)),
        drawn("compute", **models_with(estimates, HOSTILE)),
        drawn("errata", errata=[erratum]),
    ):
        assert "<script" not in page
        assert "&lt;script&gt;" in page
        read(page)


def test_thresholds_are_those_of_the_parameters():
    """If the thresholds are 3 instead of 2, bands, counts and words follow, and no 2 is left."""
    rows = [measured_row("resnet-50", 0.15), measured_row("vgg-16", 0.4)]
    estimates = [{**estimate("a", 0.2), "is_disputed": True}, {**estimate("b", 0.45), "is_disputed": False}]
    hidden = [hidden_row("derived", "two_a_parameter", 1.0)]
    for page, words in (
        (drawn("utilization", 3.0, **tables(rows)), "the default is within 3× of"),
        (drawn("compute", 3.0, **models_with(estimates)), "For 1 (50 %), the methods agree within 3×"),
        (drawn("imputation", 3.0, imputation_backtests=hidden), "the grey band covers factors within 3×"),
    ):
        text = " ".join(page.split())
        assert words in text
        assert not re.search(r"(?<!\d)2×", text)


def test_pages_state_the_ratios_of_a_users_params(tmp_path, monkeypatch):
    chosen = params.load().model_dump()
    chosen["reconcile"]["dispute_ratio"], chosen["check"]["near_ratio"] = 2.5, 3.0
    monkeypatch.setattr(params, "load", lambda: Params(**chosen))
    site = Site(tmp_path, NOWHERE, "2026-01-01")
    site.page("disputes.html", "disputes.html", rows=[], compared=7)
    text = (tmp_path / "disputes.html").read_text()
    assert "No model has two methods that differ by more than 2.5×." in text
