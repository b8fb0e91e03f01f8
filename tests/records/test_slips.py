"""Slips that leave every figure in its quote."""

import pytest

from pipeline.records import loading
from pipeline.records.checks import slips
from schemas.arithmetic import arithmetic
from schemas.records import Chip
from tests.records.conftest import World

TWICE = "multiplies by 90, as `epochs` does again; if it is not the number of epochs, say in a note there what 90 is"
QUOTES = """quotes:
  data: {source: paper, text: "on 3 billion tokens", found_at: page 2}
architecture:"""


def messages(world: World, field: str) -> list[str]:
    """Return the mistakes and remarks about a field."""
    lines = [remark.split(" ", 1)[1] for remark in loading.load([world.folder]).remarks] if not world.mistakes() else []
    mistakes = [f"{place}: {message}" for _, _, place, message in world.mistakes()]
    return [line.partition(": ")[2] for line in [*mistakes, *lines] if line.startswith(f"{field}: ")]


@pytest.mark.parametrize(
    ("derived", "is_twice"),
    [
        ("1.2e6 * 90", True),
        ("90 * 1.2e6", True),
        ("90 * 1e6", False),  # ninety million
        ("108e6", False),
        ("9720e6 / 90", False),
        ("1e6 * 89", False),
        ('1.2e6 * 90", note: "90 views of each.', False),
        ('1.2e6 * 90", note: "Photos.', True),
    ],
)
def test_epochs_are_not_in_the_examples_too(world: World, derived: str, is_twice: bool) -> None:
    world.change(
        "models/images.yaml", "value: 1.2e6, source: paper", f'value: 1.08e8, source: paper, derived: "{derived}"'
    )
    assert (TWICE in messages(world, "training[0].examples.derived")) == is_twice


NOTE = ', note: "The same corpus."'


@pytest.mark.parametrize(
    ("note", "of_base", "is_refused"), [("", "", True), (NOTE, "", False), (NOTE, NOTE, True), ("", NOTE, True)]
)
def test_a_fine_tune_has_its_data_not_the_base_models(world: World, note: str, of_base: str, is_refused: bool) -> None:
    world.change("models/text.yaml", "architecture:", QUOTES)
    world.change("models/text.yaml", "value: 3e9, source: paper", "value: 3e9, quote: data")
    text = (world.folder / "models/text.yaml").read_text()
    tuned = text.replace("name: Text", "name: Tuned\nbase_model: text").replace("quote: data}", f"quote: data{note}}}")
    world.write("models/tuned.yaml", tuned)
    world.write("models/text.yaml", text.replace("quote: data}", f"quote: data{of_base}}}"))
    message = "has the words of the data of text; if they hold for this training too, say so in a note there"
    assert (message in messages(world, "training[0].examples.quote")) == is_refused


@pytest.mark.parametrize(
    ("duration", "is_odd"),
    [
        ("29.7 minute", True),
        ("30.3 minute", False),
        ("198 day", False),
        ("202 day", True),
    ],  # 0.99 and 1.01 of both limits
)
def test_a_run_of_minutes_or_of_a_year_is_remarked(world: World, duration: str, is_odd: bool) -> None:
    model = loading.load([world.folder]).models["images"]
    (phase,) = model.training
    (allocation,) = phase.hardware
    time = type(allocation.duration).model_validate({"value": duration, "source": "paper"})
    longer = phase.model_copy(update={"hardware": [allocation.model_copy(update={"duration": time})]})
    found = [message for _, message in slips.remarks(model.model_copy(update={"training": [longer]}))]
    message = f"{duration} is shorter than half an hour or longer than 200 days; is the unit right?"
    assert found == ([message] if is_odd else [])


@pytest.mark.parametrize(("active", "is_odd"), [("", True), ("990e3", True), ("891e3", False), ("909e3", True)])
def test_a_network_with_experts_has_few_active_parameters(world: World, active: str, is_odd: bool) -> None:
    facts = 'parameters: {value: 1e6, source: paper, note: "With a head."}\n'
    facts += f"active_parameters: {{value: {active}, source: paper}}\n" if active else ""
    world.change("models/text.yaml", "architecture:", f"{facts}architecture:")
    world.change(
        "models/text.yaml",
        "  vocabulary: 100",
        "  vocabulary: 100\n  experts: 8\n  experts_per_token: 2\n  expert_width: 128",
    )
    message = "is missing or nearly all of `parameters`, but in a network with experts a token uses a few of them"
    assert messages(world, "active_parameters") == ([message] if is_odd else [])


@pytest.mark.parametrize(
    ("words", "derived", "is_refused"),
    [
        ("FP8 20 PFLOPS, BF16 10 PFLOPS, all with sparsity", "10 * 1000", True),
        ("FP8 20 PFLOPS, BF16 10 PFLOPS, all with sparsity", "10 * 1000 / 2", False),
        ("FP8 20 PFLOPS, BF16 10 PFLOPS, all with sparsity", "10 * 1000 / 20", True),
        ("BF16 10 PFLOPS dense, 20 PFLOPS sparse", "10 * 1000", False),
        ("BF16: 10 PFLOPS, with sparsity: 20 PFLOPS", "10 * 1000", False),
        ("BF16: 10 PFLOPS, with sparsity: 10 PFLOPS", "10", True),
        ("BF16 10 PFLOPS", "10 * 1000", False),
    ],
)
def test_a_peak_is_dense(world: World, words: str, derived: str, is_refused: bool) -> None:
    peak = arithmetic(derived)
    quotes = f'quotes:\n  peak: {{source: page, text: "{words}", found_at: page 1}}\npeaks:'
    world.change("hardware/nvidia-gtx-580.yaml", "peaks:", quotes)
    fact = f'  bf16: {{value: {peak:g} teraflop_per_second, quote: peak, derived: "{derived}"}}\n'
    path = world.folder / "hardware/nvidia-gtx-580.yaml"
    path.write_text(path.read_text() + fact)
    message = "is quoted with sparsity, but peaks are dense: write half, with derived: the number / 2"
    assert (message in messages(world, "peaks.bf16")) == is_refused


@pytest.mark.parametrize(
    ("phase", "key"),
    [
        ("teacher", "is_forward_only"),
        ("self_play", "is_forward_only"),
        ("alignment", "has_frozen_weights"),
        ("core", ""),
    ],
)
def test_a_phase_that_is_usually_cheaper_has_its_switch(world: World, phase: str, key: str) -> None:
    world.change("models/images.yaml", "phase: pretraining", f"phase: {phase}")
    message = f"is usually a phase with {key}; state {key}: true or false"
    assert messages(world, "training[0].phase") == ([message] if key else [])
    world.change("models/images.yaml", f"phase: {phase}", f"phase: {phase}\n    is_forward_only: false")
    assert messages(world, "training[0].phase") == []


def chip(name: str, watts: float = 100.0, year: int = 2020, **peaks: float) -> Chip:
    """Return a chip with these peaks in teraFLOP per second."""
    stated = {key: {"value": f"{peak:.9g} teraflop_per_second", "source": "page"} for key, peak in peaks.items()}
    page = {"sources": {"page": {"title": "A page"}}, "released": {"value": str(year), "source": "page"}}
    power = {"value": f"{watts:.9g} W", "source": "page"}
    return Chip.model_validate({"name": name, "manufacturer": "Maker", "power": power, "peaks": stated, **page})


@pytest.mark.parametrize(("share", "is_right"), [(0.99, True), (1.01, False)])
@pytest.mark.parametrize(
    ("precision", "times"), [("tf32", 0.5), ("tf32", 1), ("fp16", 1), ("fp8", 2), ("int8", 2), ("fp4", 4), ("fp4", 1)]
)
def test_a_peak_is_in_proportion_to_the_16_bit_peak(precision: str, times: float, share: float, is_right: bool) -> None:
    peak = 100 * times * (1 - share * 0.05)
    found = [*slips.odd_ratios(chip("A", bf16=100, fp32=30, **{precision: peak}))]
    assert [key for key, _ in found] == ([] if is_right else [("peaks", precision)])


@pytest.mark.parametrize(
    ("factor", "changes", "is_odd"),
    [
        (2.475, {}, False), (2.525, {}, True), (1 / 2.475, {}, False), (1 / 2.525, {}, True),
        (10, {"year": 2021}, True), (10, {"year": 2022}, False),
        (10, {"fp32": 200.0}, False),  # another relation of FP32 to the 16-bit peak
        (10, {"number": 2}, False),  # too few to compare
    ],
)  # fmt: skip
def test_a_chip_has_about_the_flop_per_watt_of_similar_chips(factor: float, changes: dict, is_odd: bool) -> None:
    others = {f"c{place}": chip(f"C{place}", bf16=200, fp32=50) for place in range(changes.get("number", 3))}
    odd = chip("A", 100 / factor, changes.get("year", 2020), bf16=200, fp32=changes.get("fp32", 50.0))
    assert [key for key, _ in slips.odd_per_watt(odd, {**others, "a": odd})] == ([("power",)] if is_odd else [])
