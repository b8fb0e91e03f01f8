"""Published energies of training runs compared with the ledger's intervals; energy_estimates.yml has their factors."""

from statistics import geometric_mean, median

import pytest


# By the measured power of the servers, or at design power; only GPT-3 sets its owner's overhead.
@pytest.mark.parametrize(
    ("model", "mwh"),
    [
        ("gpt-3", 1287),  # Patterson et al. 2021, table 4, V100 at 330 W
        ("t5-11b", 85.7),  # the same, TPU v3 at 310 W
        ("lamda-137b", 451),
        ("llama-65b", 449),
        ("llama-33b", 233),
        ("llama-13b", 59),
        ("opt-175b", 356),
        ("transformer-big", 0.221),  # Patterson et al. 2021, table 1: 221 kWh on P100 in a data centre of Google
    ],
)
def test_the_ledger_holds_published_energies_in_its_interval(tables, model, mwh):
    (row,) = (row for row in tables["estimates"] if row["model_id"] == model)
    assert row["energy_kwh_low"] < mwh * 1000 < row["energy_kwh_high"]
    assert row["energy_kwh"] == pytest.approx(mwh * 1000, rel=0.35)


def test_energy_is_known_where_all_chips_and_times_are(tables):
    """No estimate without GPU time, and none for a run whose chip is its year's default."""
    known = [row for row in tables["estimates"] if row["energy_kwh"] is not None]
    assert len(known) >= 150
    assert all(row["gpu_time_flop"] is not None and row["hardware"] is not None for row in known)
    assert all(row["hardware_basis"] in ("reported", "analyst") for row in known)


def test_loads_of_a_generation_are_those_of_mlperfs_logs(records, tables):
    """Newkirk et al. 2025 measured one more maker's H100: 76 % of 10.2 kW for eight chips of 700 W."""
    value = {row.applies_to: row.value for row in records.defaults["chip-load"].values}
    medians = {}
    for row in tables["rated_runs"]:
        if row["chip_load_ratio"] is not None:
            medians.setdefault(row["generation"], {}).setdefault(row["submitter"], []).append(row["chip_load_ratio"])
    makers = {name: [median(ratios) for ratios in of_maker.values()] for name, of_maker in medians.items()}
    assert value["hopper"] == pytest.approx(geometric_mean([*makers["hopper"], 0.76 * 10200 / 5600]), abs=0.005)
    assert value["blackwell"] == pytest.approx(geometric_mean(makers["blackwell"]), abs=0.005)
