"""Properties of every headline, whatever its inputs: random comparisons, and numbers that no record should have."""

import math
import random

import duckdb
import pytest

from pipeline.base.paths import TABLES
from pipeline.models import sql
from tests.benchmarks import coverage

PERCENTILES = {
    0.025: "p2_5",
    0.05: "low",
    0.1: "p10",
    0.25: "p25",
    0.75: "p75",
    0.9: "p90",
    0.95: "high",
    0.975: "p97_5",
}
NUMBERS = {
    "confirmed": 0.1, "stated": 0.2, "weak": 0.4, "gpu_time_up": 0.25, "gpu_time_down": 0.45, "second_estimate": 0.25,
    "beyond_six_nd": 1.04,
}  # fmt: skip
WORDS = {
    "model_id": None, "scope": ("single", "joint_networks"), "reported_method": ("operation_count", "gpu_time", "unknown"),
    "reported_convention": (None, "ours", "full_attention", "no_scores"), "dispute_sides_with": (None, None, None, "time"),
    "network_evidence": ("quoted", "unseen", None), "stated_by": (None, None, "analysis"),
    "operation_count_basis": ("counted", "derived", "reported"),
    "examples_class": ("exact", "product", "range", "table", "bound", "assumed", "analysis", "user_range"),
    "chip_seconds_class": ("exact", "product", "analysis", "user_range"), "independence": ("independent", "circular", "shared_input"),
}  # fmt: skip
FLAGS = (
    "is_own", "is_whole", "has_erratum", "is_reported_hardware_flop", "is_total_of_others", "has_count_at_least", "has_count_at_most",
    "is_examples_inconsistent", "is_time_bound", "is_hardware_imputed", "is_of_stated_parameters",
)  # fmt: skip
FLOP = ("operation_count_flop", "full_attention_flop", "no_scores_flop", "gpu_time_used_flop", "reported_flop")
WIDTHS = ("examples_log_sd", "chip_peak_log_sd")
TYPES = (
    dict.fromkeys(WORDS, "varchar")
    | dict.fromkeys((*FLAGS, "is_disputed"), "boolean")
    | dict.fromkeys((*FLOP, *WIDTHS, "stated_utilization_log_sd", "chip_peak_flop", "format_ratio"), "double")
)
RECONCILE = {"dispute_ratio": 2.0, "confirmed_ratio": 1.25, "confident_off_by_two": 0.1, "rough_off_by_two": 0.3}
COUNT = {
    "scope": "single", "operation_count_basis": "counted", "examples_class": "product", "independence": "independent",
    "reported_method": "operation_count", **dict.fromkeys(FLOP[:3], 1e22), "examples_log_sd": 0.0,
}  # fmt: skip


def headlines(compared, lineages=()):
    """Return rows of headline_totals with threshold_probabilities, by model; lineages are (model, part)."""
    connection = duckdb.connect(config={"threads": 1})
    rows = [{"is_own": True, "is_whole": True, **row} for row in compared]
    sql.create(connection, "comparison", rows, TYPES)
    sql.set_params(connection, {"reconcile": RECONCILE})
    connection.execute(f"create temp table constants as select map {NUMBERS} as uncertainty")
    parts = [*lineages, *((row["model_id"], row["model_id"]) for row in rows)]
    tuned = {model for model, part in lineages}
    sql.create(
        connection, "parts",
        [{"model_id": model, "is_whole": True, "part_id": part} for model, part in parts if part != model or model not in tuned]
        + [{"model_id": model, "is_whole": True, "part_id": model} for model in sorted(tuned)],
        {"model_id": "varchar", "is_whole": "boolean", "part_id": "varchar"},
    )  # fmt: skip
    sql.create(connection, "cumulative_totals", [], {"model_id": "varchar", "cumulative_flop": "double"})
    sql.create(connection, "omitted_networks", [], {"model_id": "varchar", "omitted_flop": "double"})
    for name in ("models", "lineages", "own_shares"):
        sql.create(connection, name, [])
    kinds = {"model_id": "varchar", "added_kind": "varchar", "is_like_base": "boolean", "base_flop": "double"}
    sql.create(connection, "made_from_others", [], kinds)
    given = {"comparison", "constants", "params", "parts", "cumulative_totals", "models", "lineages", "own_shares"}
    given |= {"made_from_others", "omitted_networks"}
    sql.run(connection, ["threshold_probabilities"], given)
    relation = connection.sql(
        "from headline_totals left join threshold_probabilities using (model_id)"
        " join (select model_id, columns('own_training_flop.*') from headlines) using (model_id)"
    )
    return {row["model_id"]: row for row in sql.rows(relation)}


def drawn(number, seed):
    """Return random rows of `comparison`, some with missing values."""
    chance = random.Random(seed)
    rows = []
    for place in range(number):
        row = {name: chance.choice(words) for name, words in WORDS.items() if words} | {
            "model_id": f"model-{place:04d}"
        }
        row |= {name: chance.random() < 0.2 for name in FLAGS[2:]} | {
            name: abs(chance.gauss(0, 0.5)) for name in WIDTHS
        }
        count = 10 ** chance.uniform(10, 27)
        row |= dict(
            zip(FLOP, (count * factor for factor in (1, chance.uniform(1, 1.6), chance.uniform(0.6, 1))), strict=False)
        )
        row |= {name: count * math.exp(chance.gauss(0, 1.5)) for name in FLOP[3:]}
        for names in (FLOP[:3], FLOP[3:4], FLOP[4:]):
            row |= dict.fromkeys(names if chance.random() < 0.25 else ())
        rows.append(row)
    return rows


@pytest.fixture(scope="module")
def headline_rows():
    return headlines(drawn(2000, 1))


def points(row, prefix="training_flop"):
    """Return the percentiles of a headline with its median, in ascending order."""
    ends = [row[f"{prefix}_{name}"] for name in PERCENTILES.values()]
    return [*ends[:4], row[prefix], *ends[4:]]


def test_percentiles_rise(headline_rows):
    known = [row for row in headline_rows.values() if row["headline_method"]]
    assert len(known) > 1800
    for row in known:
        assert all(low < high for low, high in zip(points(row), points(row)[1:], strict=False)), row
        assert 0 < row["off_by_two_fraction"] < 1


def test_nothing_known_is_nothing_said(headline_rows):
    unknown = [row for row in headline_rows.values() if not row["headline_method"]]
    assert unknown
    for row in unknown:
        assert {row[name] for name in row if name.startswith(("training_flop", "own_training", "probability"))} == {
            None
        }


def test_probabilities_of_thresholds_are_what_the_percentiles_say(headline_rows):
    limits = {
        name: float(name.split("_")[2]) for name in headline_rows["model-0000"] if name.startswith("probability_above")
    }
    assert [*limits.values()] == [1e23, 1e25, 1e26]
    for row in headline_rows.values():
        for name, limit in limits.items() if row["training_flop"] else ():
            ends = {p: row[f"training_flop_{word}"] for p, word in PERCENTILES.items()}
            below = max([p for p, end in ends.items() if end <= limit], default=0)
            above = min([p for p, end in ends.items() if end >= limit], default=1)
            assert 1 - above - 1e-6 <= row[name] <= 1 - below + 1e-6, (row, name)


@pytest.mark.parametrize(("second", "other"), [("gpu_time_used_flop", "gpu_time"), ("reported_flop", "reported")])
@pytest.mark.parametrize("distance", [0.3, 0.8, 2.0, 23.0])
def test_a_second_estimate_widens_its_own_side_alone(second, other, distance):
    """The side widens by a quarter of the distance; a distance of 23 is ten orders of magnitude."""
    rows = {
        "alone": COUNT, "above": COUNT | {second: 1e22 * math.exp(distance)}, "below": COUNT | {second: 1e22 * math.exp(-distance)},
    }  # fmt: skip
    headline_rows = headlines([{"model_id": name, **row} for name, row in rows.items()])
    alone, above, below = (headline_rows[name] for name in rows)
    assert (alone["up_log"], alone["down_log"]) == (0.2, 0.2)
    assert above["up_log"] == pytest.approx(0.2 + distance / 4, rel=1e-9)
    assert below["down_log"] == pytest.approx(0.2 + distance / 4, rel=1e-9)
    assert points(above)[:5] == points(alone)[:5]
    assert points(below)[4:] == points(alone)[4:]
    is_named = distance > math.log(2 if second == "gpu_time_used_flop" else 1.25)
    assert {above["named_second"], below["named_second"]} == {other if is_named else None}


def test_a_gpu_time_never_narrows_and_never_moves_a_count():
    rows = [row for row in drawn(500, 2) if row["operation_count_flop"] and row["dispute_sides_with"] is None]
    both, alone = headlines(rows), headlines([row | {"gpu_time_used_flop": None} for row in rows])
    for name, row in both.items():
        assert row["training_flop"] == alone[name]["training_flop"]
        assert all(wide <= narrow for wide, narrow in zip(points(row)[:4], points(alone[name])[:4], strict=True))
        assert all(wide >= narrow for wide, narrow in zip(points(row)[5:], points(alone[name])[5:], strict=True))


def test_sums_add_percentile_by_percentile():
    rows = [row for row in drawn(200, 3) if row["operation_count_flop"]]
    names = [row["model_id"] for row in rows]
    lineages = [(name, part) for name, part in zip(names[:50], names[50:], strict=False)]
    headline_rows = headlines(rows, lineages)
    for name, part in lineages:
        for end in ("", *(f"_{word}" for word in PERCENTILES.values())):
            parts = [headline_rows[each][f"own_training_flop{end}"] for each in (name, part)]
            assert headline_rows[name][f"training_flop{end}"] == pytest.approx(sum(parts), rel=1e-9)
        row = headline_rows[name]
        for half, end, probability in (("up_log", "high", 0.95), ("down_log", "low", 0.05)):
            reach = abs(math.log(row[f"training_flop_{end}"] / row["training_flop"]))
            assert 0.5 * (1 + reach / row[half]) ** -2 == pytest.approx(min(probability, 1 - probability))


def test_a_sum_of_fifty_parts_is_an_interval():
    rows = [{"model_id": f"part-{place:02d}", **COUNT, "independence": None} for place in range(50)]
    total = headlines(rows, [("part-00", row["model_id"]) for row in rows[1:]])["part-00"]
    assert total["training_flop"] == pytest.approx(50e22)
    assert (total["evidence_class"], total["confidence"]) == ("stated", "confident")
    assert points(total) == sorted(points(total))


@pytest.mark.parametrize("name", [*FLOP, *WIDTHS])
@pytest.mark.parametrize("value", [0.0, -1.0, math.nan, math.inf, -math.inf, 5e-324, 1.7e308])
def test_numbers_that_no_record_has_are_an_interval_or_nothing(name, value):
    """Or a refusal that names the file, but never an invalid number."""
    row = {"model_id": "a", **COUNT, "gpu_time_used_flop": 3e22, "reported_flop": 5e22, name: str(value)}
    try:
        headline = headlines([row])["a"]
    except sql.RuleError as refused:
        assert str(refused).startswith("pipeline/models/headline")  # noqa: PT017
        return
    known_points = [point for point in points(headline) if point is not None]
    assert not any(map(math.isnan, known_points))
    assert known_points == sorted(known_points)


def test_a_run_told_in_fifty_phases_has_the_headline_of_one():
    connection = coverage.ledger(TABLES)
    whole = "select training_flop, training_flop_low, training_flop_high, evidence_class from headline_totals where model_id = 'gpt-3'"
    ((*before, evidence_class),) = connection.sql(whole).fetchall()
    part = ", ".join(f"{name} / 50 as {name}" for name in FLOP[:3])
    connection.execute(
        "create or replace table operation_estimates as"
        " select * from operation_estimates where model_id <> 'gpt-3' union all by name"
        f" select * replace ({part}) from operation_estimates, range(50) where model_id = 'gpt-3'"
    )
    sql.run(
        connection,
        ["headline_totals"],
        {"operation_estimates", "constants", "params", "parts", "record_totals", "time_totals"},
    )
    ((*after, same_class),) = connection.sql(whole).fetchall()
    assert after == pytest.approx(before, rel=1e-12)
    assert same_class == evidence_class
