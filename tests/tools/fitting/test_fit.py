"""Known numbers are recovered from pairs drawn with them, and the ledger identifies every number that is called measured."""

import functools

import numpy as np
import pandas as pd
import pytest

from pipeline.base.paths import TABLES
from pipeline.tools.fitting import __main__ as command
from pipeline.tools.fitting import coverage, evidence, fit

KNOWN = {"whole_run": 0.6, "gpu_time_up": 0.2, "gpu_time_down": 0.7}
START = np.log([0.75, 0.25, 0.45])
IDENTIFIED_NATS = 2  # a number that loses less at half or double is not identified


def drawn(number, seed=1):
    """Draw pairs in groups of two, GPU times whose error has the known halves, by the inverse of the logistic distribution."""
    chance = np.random.default_rng(seed)
    p = chance.uniform(size=number)
    reach = np.log(p / (1 - p))
    error = np.where(reach > 0, KNOWN["gpu_time_up"], KNOWN["gpu_time_down"]) * reach
    return pd.DataFrame(
        {"gap_log": -error - np.log(KNOWN["whole_run"]), "group": [f"group-{n // 2}" for n in range(number)]}
    )


@functools.cache
def fitted(number):
    return fit.fitted(drawn(number), START)


@pytest.fixture(scope="module")
def connection():
    return evidence.ledger(TABLES)


@pytest.fixture(scope="module")
def summary():
    """Return the command's results on the ledger."""
    return command.summary(TABLES)


def test_known_numbers_are_recovered():
    for name, (value, low, high) in fitted(600).items():
        assert value == pytest.approx(KNOWN[name], rel=0.1), name
        assert low < KNOWN[name] < high, name


def test_ranges_narrow_with_the_number_of_pairs():
    many, few = fitted(600), fitted(40)
    for name in KNOWN:
        assert few[name][2] - few[name][1] > 1.5 * (many[name][2] - many[name][1]), name


@pytest.mark.parametrize("kernel", fit.KERNELS)
def test_a_density_has_half_of_the_probability_on_each_side(kernel):
    for errors in (np.arange(-2000, 0, 1e-3) + 5e-4, np.arange(0, 2000, 1e-3) + 5e-4):
        mass = np.exp(fit.log_density(kernel, errors, 0.2, 0.5)).sum() * 1e-3
        assert mass == pytest.approx(0.5, abs=1e-4)


def test_halves_that_differ_foretell_what_has_them_better_than_one_normal():
    own, halves, normal = fit.left_out(drawn(400))
    assert own["gain"] == 0
    assert own["score"] > halves["score"] > normal["score"]
    assert normal["gain"] > 2 * normal["error"] > 0


def test_a_share_has_its_interval_of_jeffreys():
    """The posterior under a prior of 1 / sqrt(p (1 - p)), integrated numerically."""
    share = coverage.share([True] * 9 + [False])
    p = (np.arange(1_000_000) + 0.5) / 1_000_000
    posterior = p**8.5 * (1 - p) ** 0.5
    below = np.cumsum(posterior) / posterior.sum()
    assert (share["held"], share["number"]) == (9, 10)
    assert (share["low"], share["high"]) == pytest.approx(tuple(p[np.searchsorted(below, (0.05, 0.95))]), abs=1e-4)


def test_the_width_of_counts_is_recovered_from_others_alone():
    """Errors with a width of 0.3, by the inverse of the Lomax distribution; others that agree to the last digit identify no width."""
    p = np.random.default_rng(2).uniform(size=4000)
    errors = np.sign(p - 0.5) * 0.3 * ((2 * np.minimum(p, 1 - p)) ** -0.5 - 1)
    fitted_width = fit.of_other_counts(pd.DataFrame({"error_log": errors, "weight": 1.0}), 0.6)
    assert fitted_width["fitted"] == pytest.approx(0.3, rel=0.05)
    assert fitted_width["lost_in_use"] == pytest.approx(fitted_width["lost_at_double"], rel=0.1)
    assert min(fitted_width["lost_at_half"], fitted_width["lost_at_double"]) > 2
    assert fit.of_other_counts(pd.DataFrame({"error_log": [0.0, 0.0, 0.1], "weight": 1.0}), 0.2)["lost_at_half"] < 0


def test_others_counts_stand_beside_the_widths_in_use(summary, connection):
    counts_by_source = {(row["source"], row["name"]): row for row in summary["other_counts"]}
    assert {"stated", "weak"} <= {name for source, name in counts_by_source if source == "second readings"}
    six_nd = "select runs_number from gold_scores where gold_method = 'six_nd' and gold_grouping = 'all'"
    assert [(counts_by_source["gold runs, 6ND", "weak"]["counts"],)] == connection.sql(six_nd).fetchall()


def test_what_errs_together_is_one_group(connection):
    pairs = evidence.pairs(connection)
    group = pairs.set_index("model_id")["group"]
    assert group.notna().all()
    assert group.nunique() > len(group) / 2
    for tied in (
        ["bert-base", "bert-large", "biobert"],
        ["flan-palm-540b", "minerva-540b", "palm-540b"],
        ["falcon-180b", "falcon-40b"],
    ):
        assert group[tied].nunique() == 1, tied
    assert group["bert-base"] != group["palm-540b"]


def test_headlines_made_again_are_those_that_were_published(connection):
    """Otherwise the likelihood at the numbers in use would not be that of the ledger."""
    before = connection.sql("from headline_totals order by model_id").fetchall()
    stored = evidence.numbers(connection)
    evidence.make_headlines(connection, {**stored, "stated": 0.4})
    assert connection.sql("from headline_totals order by model_id").fetchall() != before
    evidence.make_headlines(connection, stored)
    assert connection.sql("from headline_totals order by model_id").fetchall() == before
    published = connection.sql(
        "select count(*) from headline_totals h join estimates e using (model_id)"
        " where (h.training_flop_low, h.training_flop_high) is distinct from (e.training_flop_low, e.training_flop_high)"
    ).fetchall()
    assert published == [(0,)]


def test_only_what_the_ledger_identifies_is_called_measured(summary):
    for row in summary["numbers"]:
        is_identified = min(row["lost_at_half"], row["lost_at_double"]) >= IDENTIFIED_NATS
        assert row["basis"] in (("measured", "derived") if is_identified else ("assumed",)), row


def test_numbers_in_use_lie_in_the_range_of_a_new_fit(summary):
    fitted = [row for row in summary["numbers"] if row["fitted"] is not None]
    assert [row["name"] for row in fitted] == [*fit.OF_TIME]
    for row in fitted:
        assert row["low"] <= row["stored"] <= row["high"], f"{row}: run `make fit-uncertainty` and take its value over"


def test_the_command_prints_and_writes_what_it_found(summary, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(command, "summary", lambda tables: summary)
    assert command.main(TABLES, tmp_path / "calibration.json") == 0
    printed = capsys.readouterr().out
    for row in summary["numbers"]:
        assert f"\n{row['name']} " in printed
    assert (tmp_path / "calibration.json").stat().st_size > 1000


def test_every_statement_has_one_rank(summary):
    held = [row["held"] for row in summary["ranks"]]
    (others,) = (row["adjudicated"]["90"] for row in summary["coverage"] if row["name"] == "not same_time")
    assert sum(held) == others["number"] == pytest.approx(sum(row["expected"] for row in summary["ranks"]))
    assert sum(held[2:-2]) == others["held"]


def test_no_tables_are_answered_in_words(tmp_path, capsys):
    assert command.main(tmp_path, tmp_path / "calibration.json") == 1
    assert capsys.readouterr().err == f"{tmp_path} has no tables: run `make repro` first\n"
    assert not [*tmp_path.iterdir()]
