"""Rows of default values and of the peak of each year, from records of defaults."""

import dataclasses
import math

import pytest

from pipeline.rules.ingestion import defaults
from schemas.records import Defaults, Model, Records
from tests.builders import miniature_defaults, subject

SOURCES = {"article": {"title": "Article"}}


def one(applies_to, **more):
    return {"applies_to": applies_to, "basis": "assumed", "source": "article", **more}


def test_a_spread_joins_the_default_of_its_case_and_stands_alone_where_there_is_none():
    record = Defaults.model_validate(
        {
            "quantity": "utilization",
            "sources": SOURCES,
            "values": [one("text", value=0.3), one("other", value=0.4)],
            "spreads": [one("text", spread=1.5), one("stated", spread=1.1)],
        }
    )
    rows = defaults.defaults(Records(defaults={"utilization": record}))
    names = ("quantity", "applies_to", "default_value", "log_sd")
    assert [tuple(row[name] for name in names) for row in rows] == [
        ("utilization", "text", 0.3, pytest.approx(math.log(1.5))),
        ("utilization", "other", 0.4, None),
        ("utilization_spread", "stated", 1.1, pytest.approx(math.log(1.1))),
    ]


def peaks_of(*published):
    """Return the FP32 peaks of the miniature, with models of these dates."""
    models = {f"m{place}": Model.model_validate(subject(published=date)) for place, date in enumerate(published)}
    rows = defaults.year_peaks(dataclasses.replace(miniature_defaults(), models=models))
    return {row["published_year"]: row for row in rows if row["applies_to"] == "fp32"}


def test_a_year_has_its_entry_else_the_fit():
    """log10 peak = 12.601 + 0.1037 x (year - 2015) from 2010 on; entries begin in 2011 and end in 2025."""
    found = peaks_of()
    assert [*found] == list(range(2010, 2027))
    assert (found[2014]["peak_flop_per_second"], found[2014]["peak_basis"], found[2014]["source"]) == (3.35e12, "default_year", "article")  # fmt: skip
    assert math.exp(found[2014]["log_sd"]) == pytest.approx(2.03)
    assert found[2010]["peak_flop_per_second"] == pytest.approx(10 ** (12.601 - 0.1037 * 5))
    assert (found[2010]["peak_basis"], found[2010]["source"]) == ("default_nearest_year", "epoch")


def test_after_the_last_entry_a_peak_is_never_less_than_that():
    """The entry of 2025 is 5.8e13; the fit passes that in 2027: 10 ** (12.601 + 0.1037 x 12) is 7.0e13."""
    found = peaks_of("2028-01")
    assert [*found] == list(range(2010, 2029))
    assert found[2026]["peak_flop_per_second"] == 5.8e13 > 10 ** (12.601 + 0.1037 * 11) * 0.99
    assert found[2027]["peak_flop_per_second"] == pytest.approx(10 ** (12.601 + 0.1037 * 12))
