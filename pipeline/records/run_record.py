"""Build the model and the record of a user's own training run from the few figures that the user states.

Missing figures are filled in and reported.
"""

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from pydantic import ValidationError

from pipeline.architectures import placed_layers
from pipeline.architectures.network import ArchitectureError, Lengths
from pipeline.formulas.totals import total
from pipeline.records.checks.chips import doubts, missing_peak
from pipeline.records.checks.physics import REFUSED_FACTOR, odd_parameters
from pipeline.records.figures import (
    DATA,
    SEQUENCES,
    TEXT,
    TOKENS_A_STEP,
    Ends,
    checked,
    chip_named,
    facts_of,
    figure_words,
)
from pipeline.records.shape_mistakes import nearest_id
from schemas.errors import InputError
from schemas.figures import Figures
from schemas.records import IDENTIFIER, Model, Records
from schemas.spelling import find
from schemas.units import DAY_SECONDS
from schemas.vocabulary import Accounting, Domain, ExampleUnit, OrganizationKind, ParameterNetwork, Scope

MOST_TOKENS_A_STEP = 1e9  # more means that a batch in tokens was read as sequences
MOST_SEQUENCES_A_STEP = 1e4  # of an encoder and a decoder; more are tokens that were read as sequences
LEAST_TOKENS_A_STEP = 1e3  # fewer means that a batch in sequences was read as tokens
LENGTHS = ("sequence_length", "target_length")
EMBEDDINGS = ("embedding", "position_embedding")
TOKENS = (ExampleUnit.TOKEN, ExampleUnit.WORD)
DATA_OF = {ExampleUnit.TOKEN: "tokens", ExampleUnit.IMAGE: "images"}  # the figure for data in this unit; else examples
DOMAINS = {ExampleUnit.IMAGE: Domain.VISION, ExampleUnit.AUDIO_CLIP: Domain.SPEECH}
HEADER = (
    "# Written by `flopledger estimate` from your own figures. `flopledger estimate {file}` estimates it again, and\n"
    "# `flopledger validate {file}` checks it after a change.\n"
)


class Filled(NamedTuple):
    """A figure that was not stated, the value used for it, and the reason."""

    name: str
    value: str
    reason: str


class Own(NamedTuple):
    """A user's model, its record as a mapping, as parsed from YAML, and the figures that were filled in."""

    model: Model
    record: dict[str, Any]
    filled: list[Filled]


class _Run:
    """The figures of a run while its record is made: ends of amounts, ids of words, and what was filled in."""

    def __init__(self, stated: Figures, records: Records) -> None:
        self.stated, self.records, self.filled = stated, records, list[Filled]()
        self.amounts, self.words = checked(stated, records, is_run=True)
        if "hardware" in self.amounts and "precision" not in self.words:
            self.words["precision"] = "bf16"
            self.fill("precision", "bf16", "assumed of the stated peak")
        if "hardware" in self.words and chip_named(str(stated["hardware"]), records).is_half:
            self.fill("hardware", self.words["hardware"], "stated as halves")
        self.base = records.models[self.words["base_model"]] if "base_model" in self.words else None

    def states(self, *names: str) -> bool:
        """Return whether any of these figures is stated."""
        return not self.stated.keys().isdisjoint(names)

    def fill(self, name: str, value: str, reason: str) -> None:
        """Note a figure that is not stated."""
        self.filled.append(Filled(name, value, reason))

    def word(self, key: str, name: str) -> dict[str, Any]:
        """Return a stated word as a fact under this key of the record, or no key."""
        return {key: {"value": self.words[name]}} if name in self.words else {}


def model_from_figures(stated: Figures, records: Records, today: date | None = None) -> Own:
    """Return the model and the record of the stated figures, and the figures that were filled in.

    `today` is the date of publication if none is stated. It determines the usual precision, and the peak of an unknown
    chip. Raise InputError with everything that is wrong with the figures.
    """
    run = _Run(stated, records)
    unit = _unit(run)
    network = _network(run, unit)
    if network.unit and not run.states("tokens", "tokens_per_second"):
        unit = network.unit
    if "total_flos" in run.amounts:
        _add_data_of_total(run, unit, network)
    if "generated_tokens" in run.amounts and not run.states(*TEXT, *DATA):
        run.amounts["tokens"] = run.amounts["generated_tokens"]
        run.fill("tokens", str(stated["generated_tokens"]), "all generated tokens are assumed to be learnt")
    derived = _count_batch_in_tokens(run, network.lengths) if unit == ExampleUnit.TOKEN else {}
    is_paired = unit == ExampleUnit.TEXT_SEQUENCE and not run.states("sequence_length")
    if is_paired and run.amounts.get("batch", (0, 0))[1] > MOST_SEQUENCES_A_STEP:
        message = f"{stated['batch']} pairs of sequences per step are too many; if the batch counts tokens"
        raise InputError([("batch", f"{message}, state --tokens: --steps times --batch")])
    _add_time(run, unit)
    _convert_achieved(run)
    _convert_hardware_utilization(run)
    day = stated.get("published") or str((today or date.today()).year)
    if not run.states("published"):
        run.fill("published", day, "this year")
    if run.base and not run.states("frozen"):
        run.fill("frozen", "no", "all weights of the base model are assumed to be trained")
    domain = run.base.domain if run.base else DOMAINS.get(unit, Domain.LANGUAGE)
    record = {
        "name": stated.get("name", "My model"),
        "stated_by_user": True,
        "organization": stated.get("organization", "Unnamed organization"),
        "organization_kind": OrganizationKind.MIXED.value,
        "published": day,
        "domain": run.words.get("domain", domain.value),
        "scope": Scope.SINGLE.value,
        **({"base_model": run.words["base_model"]} if run.base else {}),
        **facts_of(run.amounts, **{name: name for name in ("parameters", "active_parameters", "forward_flop")}),
        **run.word("trained_in", "trained_in"),
        **network.keys,
        "training": _phases(run, unit, network.lengths, derived),
    }
    try:
        model = Model.model_validate(record)
    except ValidationError as problem:
        impossible = (f"these figures give a {error['loc'][-1]}: {error['msg']}" for error in problem.errors())
        raise InputError([("", message) for message in impossible]) from None
    problems = list(_impossible(model, records))
    if problems:
        raise InputError(problems)
    return Own(model, record, run.filled)


def _impossible(model: Model, records: Records) -> Iterator[tuple[str, str]]:
    """Yield each figure that cannot be together with the chip, the parameters or the network of the run, and why."""
    phase = model.training[0]
    for allocation in phase.hardware:
        if allocation.chip is None:
            continue
        chip = records.hardware[find(allocation.chip.value, records.chip_ids()) or ""]
        for key, message in doubts(chip, model, phase):
            yield "hardware" if key == "chip" else key, message
    factor, message = odd_parameters(model)
    if factor >= REFUSED_FACTOR:
        yield "parameters", message
    try:
        if model.architecture is not None:
            for lengths in dict.fromkeys((phase.sequence_lengths, *model.length_ends(phase))):
                placed_layers(model.architecture.settings, Lengths(*lengths))
    except ArchitectureError as problem:
        yield (problem.key, str(problem)) if problem.key in LENGTHS else ("", str(problem))


def text(record: Mapping[str, Any], file: str) -> str:
    """Return the record as YAML for a file of this name."""
    # A copy of every part, because YAML writes a part that occurs twice as an alias, which records do not use.
    content = json.loads(json.dumps(record))
    written = yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=120, default_flow_style=None)
    return HEADER.format(file=file) + written


def identifier_of(path: Path) -> str:
    """Return the id of the record in this file. Raise InputError if the file's name is not an id."""
    if path.suffix != ".yaml":
        raise InputError([("save", f"{str(path)!r} is not the name of a record; it ends in .yaml")])
    if not IDENTIFIER.fullmatch(path.stem):
        raise InputError([("save", f"{path.stem!r} is not an id{nearest_id(path.stem)}")])
    if path.exists():
        raise InputError([("save", f"{path} exists already; choose another name")])
    return path.stem


class _Network(NamedTuple):
    """A network: its keys in the record, lengths that are not stated, and the unit of an example if it is no token."""

    keys: dict[str, Any]
    lengths: dict[str, Any]
    unit: ExampleUnit | None = None


def _network(run: _Run, unit: ExampleUnit) -> _Network:
    """Return the stated config's network, otherwise a decoder of the stated size, otherwise the base model's."""
    if run.states("config"):
        return _network_of_config(run)
    is_sized = run.states("parameters", "forward_flop") or (run.base is None and run.states(*TEXT))
    is_text = unit == ExampleUnit.TOKEN and is_sized
    if is_text or run.base is None:
        return _Network({"network": ParameterNetwork.DECODER_ONLY.value} if is_text else {}, {})
    return _network_of_base(run, run.base)


def _network_of_config(run: _Run) -> _Network:
    """Return the network of a config.json or of a named architecture, with its default lengths if none are stated."""
    from pipeline.architectures import counting  # slow: imports every family of networks

    config, depth, size = run.stated["config"], run.stated.get("prediction_depth"), run.stated.get("image_size")
    try:
        counted = counting.count(config, Lengths(*(_middle(run.amounts.get(name)) for name in LENGTHS)), size, 1, depth)
    except counting.CountError as problem:
        raise InputError([("config", str(problem))]) from None
    unit = _unit_of(counted.settings, counted.sizes)
    if unit == ExampleUnit.IMAGE and run.states("tokens", "tokens_per_second"):
        raise InputError([("tokens", f"{config} takes images; state --images and --epochs, or --steps and --batch")])
    if not counted.settings:
        raise InputError([("config", f"{config} has no layers that a record can hold; state --parameters instead")])
    sizes = {"image_size": size and counted.sizes["image_size"], "prediction_depth": depth}
    settings = counted.settings | {name: value for name, value in sizes.items() if value is not None}
    words = {name: f"assumed from the config's {words}" for name, words in counted.assumed.items()} | counted.stated
    assumed = {name: why for name, why in words.items() if name not in (*run.amounts, "image_size")}
    for name, why in assumed.items():
        run.fill(figure_words(name), f"{counted.sizes[name]:,}", why)
    keys: dict[str, Any] = {"architecture": settings}
    lengths: dict[str, Any] = {name: {"value": int(counted.sizes[name])} for name in assumed if name.endswith("length")}
    if counted.length and counted.length.low < counted.length.high:
        keys["assumptions"] = counted.length.assumptions
        # The fact of an uncertain length is derived from the only assumption, by its name.
        (lengths["sequence_length"]["derived"],) = keys["assumptions"]
    return _Network(keys, lengths, unit)


def _unit_of(settings: Mapping[str, Any], sizes: Iterable[str]) -> ExampleUnit | None:
    if "target_length" in sizes:
        is_of_sound = "whisper" in (settings["family"], dict(settings.get("config", {})).get("model_type"))
        return ExampleUnit.AUDIO_CLIP if is_of_sound else ExampleUnit.TEXT_SEQUENCE
    return ExampleUnit.IMAGE if "image_size" in sizes else None


def _network_of_base(run: _Run, base: Model) -> _Network:
    """Return the base model's network, for a run that states no other network."""
    last = base.training[-1] if base.training else None
    stated = zip(LENGTHS, last.sequence_lengths if last else (), strict=False)
    lengths = {name: {"value": length} for name, length in stated if length and name not in run.amounts}
    keys: dict[str, Any] = {}
    if base.architecture is not None:
        keys["architecture"] = base.architecture.settings
    elif base.network is not None and base.parameters is not None:
        keys["network"] = base.network.value
        for name in ("parameters", "active_parameters"):
            fact = getattr(base, name)
            if fact is not None and name not in run.amounts:
                keys[name] = {"value": fact.amount}
    if keys:
        words = "".join(f", {figure_words(name)} {fact['value']:,.0f}" for name, fact in lengths.items())
        run.fill("network", f"{run.stated['base_model']}{words}", "the base model's")
    return _Network(keys, lengths, last.example_unit if last and last.example_unit not in TOKENS else None)


def _middle(ends: Ends | None) -> float | None:
    if ends is None:
        return None
    mean = math.sqrt(ends[0] * ends[1])
    return int(mean) if mean == int(mean) else mean


def _unit(run: _Run) -> ExampleUnit:
    """Return the unit of one example, from the stated data, otherwise the base model, otherwise the domain."""
    if run.states("images"):
        return ExampleUnit.IMAGE
    if run.states("examples"):
        return ExampleUnit.PATTERN
    if not run.states(*TEXT, "sequence_length") and run.base is not None and run.base.training:
        return run.base.training[-1].example_unit
    domain = run.words.get("domain", Domain.LANGUAGE)
    if domain != Domain.LANGUAGE and not run.states("tokens", "tokens_per_second", "sequence_length"):
        return ExampleUnit.IMAGE if domain == Domain.VISION else ExampleUnit.PATTERN
    return ExampleUnit.TOKEN


def _count_batch_in_tokens(run: _Run, lengths: Mapping[str, Any]) -> dict[str, str]:
    """Convert a stated batch in sequences to tokens if their length is stated. Return {"derived": arithmetic}, or {}.

    A batch that is too small for tokens counts sequences of the network's assumed length, if it has one in `lengths`.
    """
    if "batch" not in run.amounts:
        return {}
    written, batch, length = str(run.stated["batch"]), run.amounts["batch"], run.amounts.get("sequence_length")
    assumed = lengths.get("sequence_length", {}).get("value")
    are_sequences = written.endswith(SEQUENCES) or batch[1] < LEAST_TOKENS_A_STEP
    if written.endswith(TOKENS_A_STEP):
        return {}
    if length is None and assumed and are_sequences:
        length = assumed, assumed
    if length is None:
        if are_sequences:
            message = f"{written} tokens per step are too few; if the batch counts sequences, state --sequence-length"
            if written.endswith(SEQUENCES):
                message = f"{written} have no known length; state --sequence-length"
            raise InputError([("batch", message)])
        run.fill("batch", "tokens", "its unit, because no sequence length is stated")
        return {}
    # From here on, the batch counts tokens.
    run.amounts["batch"] = low, high = batch[0] * length[0], batch[1] * length[1]
    if high > MOST_TOKENS_A_STEP:
        message = f"{written} sequences of {length[0]:g} tokens are {high:.3g} tokens per step; if the batch counts"
        raise InputError([("batch", f"{message} tokens, divide it by the sequence length")])
    return {"derived": f"{batch[0]:.15g} * {length[0]:.15g}"} if low == high else {}


def _add_data_of_total(run: _Run, unit: ExampleUnit, network: _Network) -> None:
    """Compute the data from the trainer's total, unless they are stated.

    The Hugging Face trainer counts 6 operations per parameter outside embeddings and number of the input: a token, with
    padding, a pixel's colour or a band of a mel frame. This replaces steps and batch, because it does not state
    gradient accumulation.
    """
    if run.states(*DATA, "tokens_per_second"):
        return
    (parameters, _) = run.amounts.get("parameters", (network.keys.get("parameters", {}).get("value"), None))
    numbers = 1.0
    if "architecture" in network.keys:
        ends = [network.lengths.get(name, {}).get("value", _middle(run.amounts.get(name))) for name in LENGTHS]
        if unit == ExampleUnit.IMAGE and ends[0]:
            return  # of a model with two towers, only the text is the input
        layers = placed_layers(network.keys["architecture"], Lengths(*([1.0] if unit == ExampleUnit.TOKEN else ends)))
        parameters = total((part.count, 0, part.times) for part in layers if part.kind not in EMBEDDINGS).parameters
        numbers = math.prod(layers[0].input_shape)
    elif unit != ExampleUnit.TOKEN:
        return
    if parameters is None:
        return
    low, high = (flop / parameters / 6 / numbers for flop in run.amounts["total_flos"])
    name = DATA_OF.get(unit, "examples")
    run.amounts |= {name: (low, high), "epochs": (1.0, 1.0)}
    steps = "; steps are not used" if run.amounts.pop("steps", None) else ""
    if "step_time" not in run.amounts:
        run.amounts.pop("batch", None)
    inputs = f" x {numbers:,.0f} numbers of an input" if numbers != 1 else ""
    run.fill(name, f"{low:,.0f}", f"total_flos / (6 x {parameters:,.0f} parameters without embeddings{inputs}){steps}")


def _add_time(run: _Run, unit: ExampleUnit) -> None:
    """If a run's speed is stated, compute its time from its data, or its data from its time (by default one day)."""
    amounts = run.amounts
    if "tokens_per_second" in amounts:
        slow, fast = amounts["tokens_per_second"]
    elif "step_time" in amounts:
        (small, large), (short, long) = amounts["batch"], amounts["step_time"]
        slow, fast = small / long, large / short
    else:
        return
    # The work is data x epochs or steps x batch; it is 0 if the data is to be computed from the time.
    factors = [next((amounts[name] for name in DATA if name in amounts), None), amounts.get("epochs", (1.0, 1.0))]
    if "steps" in amounts:
        factors = [amounts["steps"], amounts["batch"]]
    (least_data, most_data), (fewest_passes, most_passes) = factors[0] or (0.0, 0.0), factors[1] or (0.0, 0.0)
    if most_data:
        amounts["days"] = least_data * fewest_passes / fast / DAY_SECONDS, most_data * most_passes / slow / DAY_SECONDS
        return
    if "days" not in amounts:
        amounts["days"] = (1.0, 1.0)
        run.fill("days", "1", "only the speed is stated, so the answer is for one day")
    least_days, most_days = amounts["days"]
    data = slow * least_days * DAY_SECONDS, fast * most_days * DAY_SECONDS
    amounts |= {DATA_OF.get(unit, "examples"): data, "epochs": (1.0, 1.0)}


def _convert_achieved(run: _Run) -> None:
    """Convert achieved TFLOP/s per chip to a share of its peak at the precision, by default its fastest of 16 bits."""
    if not run.states("tflops_per_chip"):
        return
    written, amounts = run.stated["tflops_per_chip"], run.amounts
    chip = run.records.hardware[run.words["hardware"]] if "hardware" in run.words else None
    if chip and "precision" not in run.words:
        run.words["precision"] = next((name for name in ("bf16", "fp16", "fp32") if name in chip.peaks), "fp32")
        run.fill("precision", run.words["precision"], "the chip's fastest 16-bit format is assumed")
    if chip and run.words["precision"] not in chip.peaks:
        raise InputError([("precision", missing_peak(chip, run.words["precision"]))])
    peak = (chip.peaks[run.words["precision"]].amount if chip else amounts["hardware"][0]) / 1e12
    low, high = amounts["utilization"] = (amounts["tflops_per_chip"][0] / peak, amounts["tflops_per_chip"][1] / peak)
    if high > 1:
        message = f"{written} is more than the chip's dense peak of {peak:g} TFLOP/s"
        raise InputError([("tflops_per_chip", message)])
    run.fill("utilization", f"{math.sqrt(low * high):.3g}", f"{written} of {peak:g} TFLOP/s per chip")


def _convert_hardware_utilization(run: _Run) -> None:
    """Convert a hardware utilization (HFU) to MFU: 6 of 8 operations count, or 4 of 6 with frozen weights."""
    if run.states("recompute") and "utilization" in run.amounts:
        share = 2 / 3 if run.states("frozen") else 3 / 4
        low, high = run.amounts["utilization"]
        run.amounts["utilization"] = low, high = share * low, share * high
        of = run.stated.get("utilization") or f"{run.stated['tflops_per_chip']} TFLOP/s"
        reason = f"the MFU for an HFU of {of} with the forward pass computed twice"
        run.fill("utilization", f"{math.sqrt(low * high):.3g}", reason)


def _phases(
    run: _Run, unit: ExampleUnit, lengths: Mapping[str, Any], derived: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Return the phase of training and, if the model generates its own data, a phase of generation within its time."""
    amounts = run.amounts
    data = next(filter(None, (facts_of(amounts, examples=name) for name in DATA)), {})
    data |= facts_of(amounts, epochs="epochs") if data else {}
    if "tokens" in amounts and "epochs" not in amounts:  # tokens seen in training are one pass by definition
        data["epochs"] = {"value": 1}
        run.fill("epochs", "1", "the stated tokens are assumed to be all tokens seen")
    if "steps" in amounts:
        data |= facts_of(amounts, steps="steps", batch="batch")
        data["batch"] |= derived
    shared = {**lengths, **facts_of(amounts, **{name: name for name in LENGTHS}), **run.word("precision", "precision")}
    times = facts_of(amounts, peak="hardware", chips="chips", duration="days", chip_time="chip_hours")
    chips = run.word("chip", "hardware") | times
    phase: dict[str, Any] = {
        "phase": "fine-tuning" if run.base else "pretraining",
        "accounting": (Accounting.FINE_TUNING if run.base else Accounting.PRETRAINING).value,
        "example_unit": unit.value,
        **data,
        **shared,
        **{key: {**fact, "kind": "mfu"} for key, fact in facts_of(amounts, utilization="utilization").items()},
        **({"has_frozen_weights": True} if run.states("frozen") else {}),
        **facts_of(amounts, facility_overhead="overhead"),
        **({"hardware": [chips]} if chips else {}),
    }
    if "generated_tokens" not in amounts:
        return [phase]
    generation = {
        "phase": "generation",
        "accounting": Accounting.SYNTHETIC_DATA.value,
        "example_unit": ExampleUnit.TOKEN.value,
        **facts_of(amounts, examples="generated_tokens"),
        "epochs": {"value": 1},
        **shared,
        "is_forward_only": True,
        **({"timed_with": phase["phase"]} if chips else {}),
    }
    return [phase, generation]
