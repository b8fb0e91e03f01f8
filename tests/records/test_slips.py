"""Slips that leave every figure in its quote."""

import pytest

from pipeline.records import loading
from pipeline.records.checks import slips
from schemas.arithmetic import arithmetic
from tests.records.conftest import World

TWICE = "multiplies by 90, as `epochs` does again; if it is not the number of epochs, explain it in a note there"
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
    ],
)
def test_epochs_are_not_in_the_examples_too(world: World, derived: str, is_twice: bool) -> None:
    world.change(
        "models/images.yaml", "value: 1.2e6, source: paper", f'value: 1.08e8, source: paper, derived: "{derived}"'
    )
    assert (TWICE in messages(world, "training[0].examples.derived")) == is_twice


@pytest.mark.parametrize(("note", "is_refused"), [("", True), (', note: "The same corpus."', False)])
def test_a_fine_tune_has_its_data_not_the_base_models(world: World, note: str, is_refused: bool) -> None:
    world.change("models/text.yaml", "architecture:", QUOTES)
    world.change("models/text.yaml", "value: 3e9, source: paper", "value: 3e9, quote: data")
    text = (world.folder / "models/text.yaml").read_text()
    tuned = text.replace("name: Text", "name: Tuned\nbase_model: text").replace("quote: data}", f"quote: data{note}}}")
    world.write("models/tuned.yaml", tuned)
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
