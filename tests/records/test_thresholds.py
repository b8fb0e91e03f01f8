"""Each threshold of the checks at 0.99 and 1.01 of its edge; `make hostile` moves them (benchmarks/thresholds.yml)."""

from contextlib import nullcontext

import duckdb
import pytest
from pydantic import ValidationError

from pipeline.records.checks.evidence import is_bare_row
from pipeline.records.run_record import model_from_figures
from pipeline.rules import impossible_amounts
from pipeline.rules.ingestion.shared_input import shared_input
from schemas import facts
from schemas.errors import ContractError, InputError
from schemas.facts import Quote
from schemas.records import Model
from tests.builders import subject
from tests.records.conftest import World

WITHIN, BEYOND = 0.99, 1.01
AROUND = [(WITHIN, True), (BEYOND, False)]  # a share of an edge, and whether it is accepted


@pytest.mark.parametrize(("share", "is_right"), AROUND)
def test_arithmetic_gives_its_value_within_half_a_percent(world: World, share: float, is_right: bool) -> None:
    derived = f'value: 1.2e6, source: paper, derived: "{1.2e6 / (1 - share * 5e-3):.9g}"'
    world.change("models/images.yaml", "value: 1.2e6, source: paper", derived)
    assert any("derived gives" in message for *_, message in world.mistakes()) == (not is_right)


@pytest.mark.parametrize(("share", "is_right"), AROUND)
def test_assumptions_give_a_range_within_a_percent(world: World, share: float, is_right: bool) -> None:
    named = "assumptions: {moves: {low: 100, high: 200, reason: Why.}}"
    world.change("models/images.yaml", "scope: single", f"scope: single\n{named}")
    derived = f"low: 6e9, high: {12e9 / (1 - share * 1e-2):.9g}, quote: size, derived: 60e6 * moves"
    world.change("models/images.yaml", "value: 1.2e6, source: paper", derived)
    assert any("derived gives" in message for *_, message in world.mistakes()) == (not is_right)


@pytest.mark.parametrize(("length", "is_bare"), [(39, True), (40, False)])
def test_a_short_row_of_a_table_needs_a_heading(length: int, is_bare: bool) -> None:
    assert is_bare_row(Quote.model_construct(text="|" + "1" * (length - 1), where=None, source="")) == is_bare


@pytest.mark.parametrize(("share", "is_right"), AROUND)
@pytest.mark.parametrize("is_longer", [True, False])
def test_chip_time_is_chips_times_duration_within_a_fifth(
    world: World, share: float, is_right: bool, is_longer: bool
) -> None:
    days = 10 * (1.2 * share if is_longer else 1 / (1.2 * share))
    world.change(
        "models/images.yaml",
        "{low: 5 day, high: 6 day, source: paper}",
        f"{{value: 5 day, source: paper}}\n        chip_time: {{value: {days:.6g} chip_day, source: paper}}",
    )
    assert any("contradict each other" in message for *_, message in world.mistakes()) == (not is_right)


@pytest.mark.parametrize(
    ("figures", "is_right"),
    [
        ({"batch": "990"}, False),
        ({"batch": "1010"}, True),
        ({"batch": "990k", "sequence_length": "1000"}, True),
        ({"batch": "1010k", "sequence_length": "1000"}, False),
        ({"batch": "9900", "base_model": "t5-11b"}, True),
        ({"batch": "10100", "base_model": "t5-11b"}, False),
    ],
)
def test_a_step_has_a_thousand_to_a_billion_tokens_or_ten_thousand_pairs(records, figures, is_right: bool) -> None:
    size = {} if "base_model" in figures else {"parameters": "7B"}
    with nullcontext() if is_right else pytest.raises(InputError, match="per step"):
        model_from_figures({**size, "steps": "1000", **figures}, records)


@pytest.mark.parametrize(("figure", "is_shared"), [(99, False), (101, True)])
def test_only_figures_from_a_hundred_are_shared(figure: int, is_shared: bool) -> None:
    record = subject([{"chip": "nvidia-a100", "chips": 8, "duration": f"{2 * figure} hour"}], {"steps": figure})
    record["training"][0]["hardware"][0]["duration"]["derived"] = f"{figure} * 2"
    assert (shared_input(Model.model_validate(record)) == "training[0].steps") == is_shared


LIMITS = [
    (facts.Flop, "1e30", " flop"), (facts.Peak, "1e17", " flop_per_second"), (facts.Epochs, "1e7", ""),
    (facts.Epochs, "1e-3", ""), (facts.Fraction, "1e-4", ""), (facts.Count, "1e20", ""), (facts.Parameters, "1e16", ""),
    (facts.Length, "1e9", ""), (facts.Chips, "1e7", ""), (facts.Power, "1e5", " watt"), (facts.Clock, "1e11", " hertz"),
    (facts.ChipTime, "1e16", " chip_second"), (facts.Overhead, "5", ""),
]  # fmt: skip


@pytest.mark.parametrize("is_within", [True, False])
@pytest.mark.parametrize(("kind", "edge", "unit"), LIMITS, ids=lambda value: getattr(value, "__name__", value))
def test_a_number_is_within_its_limits(kind, edge: str, unit: str, is_within: bool) -> None:
    factor = WITHIN if (float(edge) > 1) == is_within else BEYOND
    written = f"{float(edge) * factor:.6g}"
    value = f"{written}{unit}" if unit else float(written)
    with nullcontext() if is_within else pytest.raises(ValidationError):
        kind.model_validate({"value": value, "source": "paper"})


@pytest.mark.parametrize(("share", "is_right"), AROUND)
def test_a_range_is_at_most_ten_million_wide(world: World, share: float, is_right: bool) -> None:
    world.change("models/images.yaml", "value: 1.2e6, source: paper", f"low: 1, high: {1e7 * share}, source: paper")
    assert any("which is meaningless" in message for *_, message in world.mistakes()) == (not is_right)


@pytest.mark.parametrize(("share", "is_right"), AROUND)
def test_a_base_has_at_most_a_twentieth_more_parameters(world: World, share: float, is_right: bool) -> None:
    size = f"parameters: {{value: {60e6 / (1.05 * share):.9g}, source: paper, note: Why.}}"
    world.change(
        "models/text.yaml", "scope: single", f"scope: single\n{size}\nbase_model: {{value: images, source: paper}}"
    )
    assert any("times the parameters" in message for *_, message in world.mistakes()) == (not is_right)


@pytest.mark.parametrize(("number", "is_right"), [(100, True), (101, False)])
def test_a_model_has_at_most_a_hundred_phases_of_a_hundred_allocations(number: int, is_right: bool) -> None:
    record = subject([{"chip": "nvidia-a100", "chips": 8, "duration": "1 day"}])
    (phase,) = record["training"]
    for more in (
        [phase | {"phase": f"p{place}"} for place in range(number)],
        [phase | {"hardware": phase["hardware"] * number}],
    ):
        with nullcontext() if is_right else pytest.raises(ValidationError, match="at most 100"):
            Model.model_validate(record | {"training": more})


@pytest.mark.parametrize("table", [
    "models as select 'm' as model_id, {} * 1e32 as reported_flop",
    "completed_runs as select 'm' as model_id, {} * 1e36 as examples_seen",
    "operation_estimates as select 'm' as model_id, {} * 1e32 as operation_count_flop",
    "reconciliations as select 'm' as model_id, {} * 1e36 as own_training_flop_p97_5",
])  # fmt: skip
@pytest.mark.parametrize(("share", "is_right"), AROUND)
def test_an_amount_in_a_table_is_possible(table: str, share: float, is_right: bool) -> None:
    connection = duckdb.connect()
    connection.execute(f"create temp table {table.format(share)}")
    with nullcontext() if is_right else pytest.raises(ContractError, match="^m: .*not between 1 and"):
        impossible_amounts.refuse_impossible(connection)
