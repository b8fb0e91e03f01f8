"""Published energies of training against the ledger's intervals; with their own factors they stand beside energy_estimates.sql."""

import pytest


# By the measured power of the servers, or at design power; none of them sets an owner's overhead but GPT-3.
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
    """No estimate without GPU time, and none of a run whose chip is the default of its year."""
    known = [row for row in tables["estimates"] if row["energy_kwh"] is not None]
    assert len(known) >= 150
    assert all(row["gpu_time_flop"] is not None and row["hardware"] is not None for row in known)
    assert all(row["hardware_basis"] in ("reported", "analyst") for row in known)
