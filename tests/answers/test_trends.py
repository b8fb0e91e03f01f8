"""The line through training compute equals clustered least squares by matrices; too few models have no line."""

import random
from datetime import date, timedelta

import numpy as np
import pytest
from scipy import stats

from pipeline.answers import trends
from pipeline.base.paths import ROOT
from pipeline.publishing import database
from pipeline.publishing.rows import rows


def model(day, flop, organization="Lab"):
    return {
        "training_flop": flop, "base_model": None, "parent_organization": organization,
        "published": day.isoformat(), "published_date": day,
    }  # fmt: skip


def drawn(number=80, organizations=9):
    dice = random.Random(3)
    shifts = [dice.gauss(0, 2) for _ in range(organizations)]
    for _ in range(number):
        lab, days = dice.randrange(organizations), dice.randrange(4000)
        yield model(
            date(2012, 1, 1) + timedelta(days),
            float(np.exp(45 + 1.3 * days / 365.25 + shifts[lab] + dice.gauss(0, 1))),
            f"Lab {lab}",
        )


def test_slope_and_interval_are_those_of_clustered_least_squares():
    models = list(drawn())
    x = np.array([[1.0, (row["published_date"] - date(2000, 1, 1)).days / 365.25] for row in models])
    y = np.log([row["training_flop"] for row in models])
    bread = np.linalg.inv(x.T @ x)
    beta = bread @ x.T @ y
    names = sorted({row["parent_organization"] for row in models})
    meat = np.zeros((2, 2))
    for name in names:
        of_it = [place for place, row in enumerate(models) if row["parent_organization"] == name]
        score = x[of_it].T @ (y[of_it] - x[of_it] @ beta)
        meat += np.outer(score, score)
    correction = len(names) / (len(names) - 1) * (len(models) - 1) / (len(models) - 2)
    error = np.sqrt(correction * (bread @ meat @ bread)[1, 1])
    half = stats.t.ppf(0.95, len(names) - 1) * error
    line = next(row for row in trends.trends(models) if row["frontier"] == "all sizes")
    assert line["models_number"] == 80
    assert line["growth_factor"] == pytest.approx(np.exp(beta[1]), rel=1e-7)
    assert line["growth_factor_low"] == pytest.approx(np.exp(beta[1] - half), rel=1e-4)
    assert line["doubling_months_low"] == pytest.approx(12 * np.log(2) / (beta[1] + half), rel=1e-4)


def test_frontiers_equal_those_of_a_loop_over_the_days():
    models = sorted(drawn(400, 30), key=lambda row: row["published_date"])
    for most, frontier in ((10, "top 10"), (5, "top 5")):
        at_it = [
            row for row in models
            if sum(o["training_flop"] > row["training_flop"] and o["published_date"] <= row["published_date"] for o in models) < most
        ]  # fmt: skip
        line = next(row for row in trends.trends(models) if row["frontier"] == frontier)
        assert line["models_number"] == len(at_it)
        assert line["organizations_number"] == len({row["parent_organization"] for row in at_it})


def test_models_before_the_first_year_rank_but_are_not_fitted():
    early = [model(date(2009, 1, 1), 1e30, f"Early {number}") for number in range(10)]
    with_them = trends.trends([*drawn(), *early])
    assert [row["frontier"] for row in with_them] == ["all sizes"]
    assert with_them[0]["models_number"] == 80


@pytest.mark.parametrize(
    "models",
    [
        list(drawn(24)),
        list(drawn(80, 5)),
        [model(date(2020, 1, 1) + timedelta(40 * n), 2.0**n, f"Lab {n}") for n in range(40)],
        [model(date(2020, 1, 1), 1e20, f"Lab {n}") for n in range(40)],
        [],
    ],
    ids=["24 models", "5 organizations", "under 5 years", "one day", "none"],
)
def test_no_line_through_too_few(models):
    assert trends.trends(models) == []


def test_doubling_time_has_no_upper_end_if_compute_may_shrink():
    dice = random.Random(1)
    flat = [
        model(date(2012, 1, 1) + timedelta(80 * n), 10 ** (20 + dice.random()), f"Lab {n % 12}")
        for n in range(50)
    ]  # fmt: skip
    line = next(row for row in trends.trends(flat) if row["frontier"] == "all sizes")
    assert line["growth_factor_low"] < 1 < line["growth_factor_high"]
    assert line["doubling_months_high"] is None
    assert "no doubling time" in line["growth_sentence"]


def test_the_database_view_gives_the_same_rows():
    with database.reading() as connection:
        assert trends.trends(rows(connection, "from estimates")) == rows(connection, "from trends")


def test_methods_quote_the_growth_of_epochs_own_values():
    with database.reading() as connection:
        models = rows(
            connection,
            """select organization as parent_organization, try_cast(published as date) as published_date,
                epoch_flop as training_flop
            from catalogue_estimates join epoch_results using (source_row) where try_cast(published as date) is not null""",
        )
    methods = (ROOT / "pipeline/formulas/README.md").read_text(encoding="utf-8")
    for line in trends.trends(models):
        if line["frontier"] in ("all sizes", "top 10"):
            assert f"- {line['frontier']}: {line['growth_sentence']}\n" in methods
