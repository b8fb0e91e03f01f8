"""Published energies of training, each with the words that state it, against the formula and the ledger's intervals."""

import pytest

from pipeline.formulas.energy import energy_kwh

HOUR, DAY = 3600, 86_400

# Energy in kWh and its factors: chip time, design power (W), load and overhead, as the publication has them.
PUBLISHED = [
    # Luccioni et al. 2022: "took 1,082,990 A100 GPU-hours over about 118 days and used 433,196 kWh" (github-copy:60673081030)
    (433_196, 1_082_990 * HOUR, 400, 1, 1),
    # Touvron et al. 2023, table 15: "|LLaMA-65B|A100-80GB|400W|1,022,362|449 MWh|173|", "We take a PUE of 1.1" (github-copy:31413294827)
    (449e3, 1_022_362 * HOUR, 400, 1, 1.1),
    # Patterson et al. 2021, table 4: 512 chips, 20 days, 310 W a chip of 450 W, PUE 1.12; "training used 86 MWh" (github-copy:13458525039)
    (86e3, 512 * 20 * DAY, 450, 310 / 450, 1.12),
    # LaMDA: "57.7 days * 1024 chips * 289W * 1.1 * 24 hours/day = 451 MWh" (github-copy:23518995528)
    (451e3, 57.7 * DAY * 1024, 450, 289 / 450, 1.1),
]


@pytest.mark.parametrize(("kwh", "chip_seconds", "watts", "load", "overhead"), PUBLISHED)
def test_the_formula_gives_what_was_published(kwh, chip_seconds, watts, load, overhead):
    assert energy_kwh(chip_seconds, watts, load, overhead) == pytest.approx(kwh, rel=0.01)


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
