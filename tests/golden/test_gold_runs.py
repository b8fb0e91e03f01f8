"""The gold runs: enough owners, none with too much weight, and a count that agrees with the run's own log."""

import pytest

MARIN_LOGGED_FLOP = {  # `model_flops` in the files: attention over all pairs, without embedding and norms
    "llama-130m": 1.777337490915459e18,
    "llama-300m": 9.99035877535934e18,
    "llama-520m": 4.210403636805422e19,
    "llama-800m": 8.340318450894452e19,
    "llama-1-2b": 2.071634014279733e20,
    "llama-75m": 8.43291058765824e17,
    "llama-300m-v4": 8.313235618922496e18,
    "llama-1-4b-h200": 1.2454406018439945e20,
    "qwen3-800m-v5e": 8.340840896299794e19,
}


def test_no_owner_has_more_than_fifteen_percent_of_the_votes(tables):
    runs = tables["gold_runs"]
    votes = {}
    for row in runs:
        votes.setdefault(row["owner"], []).append(row["weight"])
    assert len(runs) >= 60
    assert len(votes) >= 20
    assert max(sum(own) for own in votes.values()) <= 0.15 * len({row["gold_group_id"] for row in runs})


@pytest.mark.parametrize("run", MARIN_LOGGED_FLOP)
def test_the_count_over_all_pairs_is_what_marin_logged(tables, run):
    counted = tables.sql(
        "select 3 * c.forward_flop_full_attention * l.examples_seen * l.architecture_passes_per_example"
        f" from logged_runs l join operation_counts c using (architecture_id) where l.run = '{run}'"
    )
    ((flop,),) = counted
    assert flop == pytest.approx(MARIN_LOGGED_FLOP[run], rel=5e-3)


def test_no_gold_run_is_predicted_by_its_own_owners_measurements(tables):
    """TinyLlama's own throughput is measured in the ledger, near its run; the prediction without it is not near."""
    with_it = dict(tables.sql("select model_id, utilization_middle_fraction from utilizations"))["tinyllama-1-1b"]
    without = dict(tables.sql("select run, utilization_middle_fraction from gold_runs"))["tinyllama-1-1b"]
    assert without < with_it
