"""The stages estimate what `validate` accepts, or refuse it with file and line: facts at their limits and between."""

import math
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.engines import in_memory
from pipeline.models import sql
from pipeline.records import loading, params
from pipeline.records.loading import RecordError
from pipeline.records.refusals import in_records
from schemas import facts
from schemas.errors import ContractError
from schemas.limits import WIDEST_RANGE
from schemas.records import Model, Records
from schemas.vocabulary import ExampleUnit, ParameterNetwork, Precision
from tests.builders import miniature_defaults, subject

MADE = ("estimates", "reconciliations", "headline_components", "input_priorities", "energy_estimates")
MODELS = 30  # per run of the stages


@st.composite
def amounts(draw, kind):
    """Draw a fact of a kind: a limit or anything between the limits, as a value or a range, with its unit."""
    low, high = math.log(kind.smallest), math.log(kind.largest)

    def one():
        return min(
            max(math.exp(draw(st.sampled_from([low, high]) | st.floats(low, high))), kind.smallest), kind.largest
        )

    def written(value):
        return value if kind.unit is None else f"{value!r} {kind.unit}"

    first = one()
    if not draw(st.booleans()):
        return {draw(st.sampled_from(["value", "at_least", "at_most"])): written(first), "source": "paper"}
    other = min(max(one(), first / WIDEST_RANGE * (1 + 1e-9)), first * WIDEST_RANGE * (1 - 1e-9))
    return {"low": written(min(first, other)), "high": written(max(first, other)), "source": "paper"}


def maybe(strategy):
    return st.none() | strategy


@st.composite
def models(draw):
    """Draw a record that a user may write, without a network of layers."""
    keys = {
        "examples": facts.Count, "epochs": facts.Epochs, "steps": facts.Count, "batch": facts.Count, "sequence_length": facts.Length,
    }  # fmt: skip
    phase = {"phase": "pretraining", "example_unit": draw(st.sampled_from(ExampleUnit)).value}
    phase |= {key: draw(maybe(amounts(kind))) for key, kind in keys.items()}
    phase["precision"] = draw(maybe(st.just({"value": draw(st.sampled_from(Precision)).value, "source": "paper"})))
    phase["utilization"] = draw(maybe(amounts(facts.Utilization).map(lambda fact: fact | {"kind": "mfu"})))
    chip = draw(maybe(st.sampled_from(sorted(miniature_defaults().hardware))))
    allocation = {"chip": chip and {"value": chip, "source": "paper"}}
    if draw(st.booleans()):
        allocation["chip_time"] = draw(amounts(facts.ChipTime))
    else:
        allocation |= {"chips": draw(maybe(amounts(facts.Chips))), "duration": draw(maybe(amounts(facts.Duration)))}
    phase["hardware"] = draw(st.sampled_from([[], [{key: fact for key, fact in allocation.items() if fact}]]))
    stated = {
        "parameters": draw(maybe(amounts(facts.Parameters))),
        "active_parameters": draw(maybe(amounts(facts.Parameters))),
        "forward_flop": draw(maybe(amounts(facts.Flop))),
        "connections": draw(maybe(amounts(facts.Count))),
        "reported_flop": draw(maybe(amounts(facts.Flop).map(lambda fact: fact | {"method": "unknown"}))),
        "network": draw(maybe(st.sampled_from(ParameterNetwork).map(lambda word: word.value))),
        "published": draw(st.sampled_from(["1940", "1958-07", "2012-12-03", "2021", "2040-12-31"])),
    }
    training = [{key: fact for key, fact in phase.items() if fact is not None}]
    return {**subject(), **{key: fact for key, fact in stated.items() if fact is not None}, "training": training}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("models")


@given(st.lists(models(), min_size=MODELS, max_size=MODELS))
@settings(max_examples=2, suppress_health_check=list(HealthCheck), phases=settings.default.phases[:3])
def test_what_is_accepted_is_estimated_or_refused_by_file_and_line(folder, written):
    shown = {f"subject-{place}": folder / f"subject-{place}.yaml" for place in range(MODELS)}
    for file, record in zip(shown.values(), written, strict=True):
        file.write_text("".join(f"{key}: {'' if key == 'training' else value!r}\n" for key, value in record.items()))
    known = miniature_defaults()
    left = {name: Model.model_validate(record | {"name": name}) for name, record in zip(shown, written, strict=True)}
    lines = []
    while left:
        try:
            tables = in_memory.make(
                MADE, Records(models=left, hardware=known.hardware, defaults=known.defaults), params.load()
            )
        except ContractError as problem:
            refused = in_records(problem, shown)
            assert isinstance(refused, RecordError), problem  # noqa: PT017
            lines += str(refused).split("\n")
            gone = {mistake.file.rpartition("/")[2].removesuffix(".yaml") for mistake in refused.mistakes}
            assert gone & left.keys()
            left = {name: model for name, model in left.items() if name not in gone}
        else:
            rows = sql.rows(tables["estimates"])
            assert {row["model_id"] for row in rows} == left.keys()
            for row in rows:
                assert all(math.isfinite(value) for value in row.values() if isinstance(value, float))
            break
    for line in lines:
        assert re.fullmatch(rf"{re.escape(str(folder))}/subject-\d+\.yaml:\d+ training: its facts give .+", line)
        assert len(line) <= 300


@pytest.mark.parametrize("kind", [kind for kind in vars(facts).values() if isinstance(kind, type) and issubclass(kind, facts.Fact) and kind is not facts.Fact])  # fmt: skip
def test_the_limits_of_a_fact_are_within_it_and_what_is_beyond_is_not(kind):
    words = {"kind": "mfu"} if kind is facts.Utilization else {}

    def amount_of(value):
        return kind(value=value if kind.unit is None else f"{value!r} {kind.unit}", source="paper", **words).amount

    assert amount_of(float(kind.smallest)) == kind.smallest
    assert amount_of(float(kind.largest)) == pytest.approx(kind.largest)
    for beyond in (kind.smallest / 1.01, kind.largest * 1.01):
        with pytest.raises(ValueError, match="than possible"):
            amount_of(beyond)


@pytest.mark.parametrize(("parameters", "examples", "amount"), [
    ("{value: 1e16}", "examples: {value: 1e20}", "operation_count_flop"),  # 6 x 1e16 x 1e20
    # 6 x 3e12 x 1e12 x 1e3 x 3e3 is possible, but the end of its interval is not.
    ("{low: 1e9, high: 1e16}", "batch: {low: 3e8, high: 3e15}, steps: {low: 1, high: 1e6}", "own_training_flop_p97_5"),
])  # fmt: skip
def test_a_refused_record_has_its_line(tmp_path, parameters, examples, amount):
    """A total that no table may contain is refused where its record states it."""
    path = tmp_path / "too-large.yaml"
    path.write_text(
        "name: Too large\norganization: A\norganization_kind: industry\npublished: 2021\ndomain: language\nscope: single\n"
        f"stated_by_user: true\nparameters: {parameters}\nnetwork: decoder_only\n"
        f"training:\n  - {{phase: training, example_unit: token, {examples}, epochs: {{low: 1, high: 1e7}}}}\n"
    )
    from tests.builders import typed

    for verb in ("validate", "estimate"):
        done = typed(verb, path)
        assert (done.returncode, done.stdout) == (1, "")
        assert re.fullmatch(
            rf"{re.escape(str(path))}:10 training: its facts give \w+: {amount} is .*\n", done.stderr
        ), done.stderr
    loading.load([path])  # valid by itself
