"""Accounts of models: their sums, sentences, sources and citations."""

import math

import pytest

from pipeline.publishing import account, database
from pipeline.publishing.citation import Citation

CITATION = Citation(
    "We", "The ledger", "CC-BY-4.0", "2026-11-21", "All of it.", ("FLOP",), "https://ledger.org", "10.1/2"
)


@pytest.fixture(scope="module")
def accounts():
    with database.reading() as book:
        models = [row[0] for row in book.execute("select model_id from estimates").fetchall()]
        return {model["model_id"]: model for model in account.accounts(book, models, CITATION)}


def test_every_model_has_an_account_with_all_columns_of_its_estimate(accounts):
    with database.reading() as book:
        rows = book.execute("from estimates order by model_id").fetchall()
        names = [name for name, *_ in book.execute("describe estimates").fetchall()]
    assert list(accounts) == [row[names.index("model_id")] for row in rows]
    for row, model in zip(rows, accounts.values(), strict=True):
        assert [model[name] for name in names] == list(row)


def test_phases_and_allocations_add_up_to_the_two_methods(accounts):
    """Calculate both for a model and its bases: (forward + backward) x examples, chip-seconds x peak x utilization."""
    counted = timed = 0
    for model in accounts.values():
        phases = [phase for part in model["parts"] for phase in part["phases"]]
        chips = [chips for part in model["parts"] for chips in part["allocations"]]
        if model["operation_count_flop"] is not None:
            of_phases = (
                (row["forward_flop_per_example"] + row["backward_flop_per_example"]) * row["examples_seen"]
                for row in phases
            )
            assert math.fsum(of_phases) == pytest.approx(model["operation_count_flop"], rel=1e-9), model["model_id"]
            counted += 1
        if model["gpu_time_informed_flop"] is not None:
            of_chips = (
                row["chip_seconds"] * row["peak_flop_per_second"] * row["utilization_fraction"] for row in chips
            )
            assert math.fsum(of_chips) == pytest.approx(model["gpu_time_informed_flop"], rel=1e-9), model["model_id"]
            timed += 1
    assert min(counted, timed) > 150


def test_ranges_and_causes_are_as_their_record_states_them(accounts):
    (chips,) = accounts["gpt-4"]["parts"][0]["allocations"]
    stated = [chips[f"stated_{name}"] for name in ("chips", "duration", "chip_time")]
    assert stated == ["20000 to 25000", "90 day to 100 day", None]
    assert accounts["stylegan3-r"]["dispute"]["sentence"].startswith("Filters of fixed weights, ")


def test_other_estimates_have_their_distance_and_shared_inputs(accounts):
    verdicts = {other["title"]: other["verdict"] for other in accounts["gpt-4"]["others"]}
    shared = "; it starts from the same statements on size, data and chip time"
    assert all(verdict.endswith(shared) for verdict in verdicts.values())
    assert accounts["stylegan3-t"]["others"][0]["verdict"].endswith(" statements on chip time")
    for model in accounts.values():
        for other in model["others"]:
            assert (other["verdict"] is None) == (model["training_flop"] is None)


def test_citation_has_release_address_and_interval(accounts):
    cite = accounts["gpt-3"]["cite"]
    assert cite["url"] == "https://ledger.org/models/gpt-3.html"
    assert cite["text"].startswith(
        "GPT-3 175B (gpt-3): 3.19e23 FLOP of training compute, 90 % interval 2.57e23 to 3.95e23. We. The ledger. Version 2026-11-21."
    )
    assert cite["text"].endswith("CC-BY-4.0. https://doi.org/10.1/2. https://ledger.org/models/gpt-3.html.")
