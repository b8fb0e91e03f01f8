"""Count parameters and operations of an architecture in a file (config.json or YAML) or of a named network."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from pipeline.architectures import placed_layers
from pipeline.architectures.configs import KNOWN_TYPES, read
from pipeline.architectures.configs.lengths import AssumedLength
from pipeline.architectures.configs.vocabulary import CLASSES
from pipeline.architectures.files import (
    MOST_DIGITS,
    CountError,
    config_in,
    config_in_json,
    content_of_yaml,
    network_in,
    stated_lengths,
)
from pipeline.architectures.named_networks import ALIASES, NAMED, network_settings
from pipeline.architectures.network import FAMILIES, ArchitectureError, Lengths, Placed, place
from pipeline.architectures.torch_module import PREFIX, count_module
from pipeline.architectures.weights import Weights, indexed_weights
from pipeline.formulas.totals import Totals, total
from schemas.spelling import find

ELEMENTWISE = "elementwise operations: normalisation, activation, softmax, pooling, sums, rotary positions"
NOT_BY_TORCH = (
    "what torch's counter leaves out: elementwise operations, recurrent kernels and operations of other packages"
)
AUXILIARY = ("inception_v1", "inception_v3")  # families with extra heads during training
AUXILIARY_HEADS = "the auxiliary classifiers, which only training uses"
WAY_ON = "state --parameters and --active-parameters instead, for 6 operations per parameter and token"
MOST_KEYS, MOST_LETTERS = 12, 60  # shown of the keys that are passed over
WAY_ON_BY_CODE = "count its code with torch instead: torch:FILE.py:FUNCTION"
NOT_OF_TEXT = re.compile(
    "image|vision|visual|pixel|patch|video|audio|speech|voice|sound|asr|ctc|sampling_rate|wav|(^|_)mels?(_|$)|codebook|vq_"
    "|conv_dim|_class_name|backbone|^encoder$"
)
NAMES = ("not_counted", "assumed", "stated", "defaults", "passed_over", "prediction_parameters")
OF_KIND = ("parameters", "forward_flop", "backward_flop")
IMAGE_SIZE = re.compile(r"[1-9]\d{0,5}(x[1-9]\d{0,5}){0,2}")  # a square's side, width x height, or this x frames


@dataclass(frozen=True)
class Count:
    """The counts for a batch of examples. `sizes` are the sizes of one example.

    `assumed` maps sizes that nobody states to their origins, and `stated` does so for lengths that a record states.
    `length` holds the range of an assumed sequence length, and `step_flop_per_token_at_maximum` the figure at its maximum. `weights` come from an index in the
    config's folder. `passed_over` lists keys of a config that its class never reads.
    `prediction_parameters` are those of the modules that predict further tokens, which published sizes leave out.
    `settings` are the architecture as records write it; those of a torch module are empty.
    """

    name: str
    totals: Totals
    by_kind: dict[str, Totals]
    batch: int
    sizes: dict[str, Any]
    not_counted: list[str]
    assumed: dict[str, str] = field(default_factory=dict)
    stated: dict[str, str] = field(default_factory=dict)
    defaults: dict[str, Any] = field(default_factory=dict)
    length: AssumedLength | None = None
    step_flop_per_token_at_maximum: float | None = None
    weights: Weights | None = None
    passed_over: list[str] = field(default_factory=list)
    prediction_parameters: int = 0
    settings: dict[str, Any] = field(default_factory=dict)

    @property
    def tokens(self) -> int | None:
        """Return the number of tokens in the batch; None if an example is not one sequence of tokens."""
        length = self.sizes.get("sequence_length")
        is_text = length is not None and "target_length" not in self.sizes and "image_size" not in self.sizes
        return int(length) * self.batch if is_text and length else None

    @property
    def step_flop(self) -> float:
        """Return the FLOP of a forward and backward pass over the batch."""
        return self.totals.forward_flop + self.totals.backward_flop


def is_name(what: str) -> bool:
    """Return whether `what` is the name of a network, in any spelling.

    >>> is_name("ViT-B/16"), is_name("openai/gpt2")
    (True, False)
    """
    return find(what, (*NAMED, *ALIASES)) is not None


def count(
    what: str,
    lengths: Lengths,
    image_size: int | str | None = None,
    batch: int = 1,
    prediction_depth: int | None = None,
) -> Count:
    """Count a network given by name, as a config.json or its folder, or as a YAML file. Raise CountError if that fails.

    `image_size` is the side of a square image, or text such as 832x480 (width x height) or 832x480x81 (with frames).
    `prediction_depth` is the number of modules that predict further tokens.
    """
    asked = _sizes(lengths, image_size, prediction_depth)
    if what.startswith(PREFIX):
        _refuse_unused(what, asked, dict.fromkeys(("image_size", "sequence_length")))
        length = asked.get("sequence_length")
        totals, by_kind, lacking = count_module(what, asked.get("image_size"), length and int(length), batch)
        sizes = {} if length or what.partition(".py:")[1] else {"image_size": asked.get("image_size", 224)}
        return Count(what, totals, by_kind, batch, sizes=asked or sizes, not_counted=[NOT_BY_TORCH, *lacking])
    path = _config_path(what)
    is_yaml = path.suffix in (".yml", ".yaml")
    content = content_of_yaml(path) if is_yaml else None
    config = config_in(content)
    if config is not None or (not is_yaml and (path.suffix == ".json" or path.is_file())):
        return _count_config(path, asked, batch, config)
    try:
        settings = network_in(path, content) if is_yaml else network_settings(what)
    except ArchitectureError as problem:
        raise CountError(str(problem)) from None
    keys = {entry.name for entry in fields(FAMILIES[settings["family"]])}  # type: ignore[arg-type]
    settings |= {key: size for key, size in asked.items() if key in keys}
    used = {key: settings.get(key) for key in ("image_size", "prediction_depth") if key in keys}
    record_lengths, phase = stated_lengths(content)
    placed, needed = _layers_and_lengths(what, settings, {**record_lengths, **asked})
    sizes = {key: size for key, size in {**used, **needed}.items() if size is not None}
    _refuse_unused(what, asked, {**used, **needed})
    has_heads = settings["family"] in AUXILIARY and not settings.get("has_auxiliary_classifiers")
    not_counted = [ELEMENTWISE, *([AUXILIARY_HEADS] if has_heads else [])]
    stated = dict.fromkeys(needed.keys() - asked.keys(), f"stated for {phase}")
    return _batch_count(what, placed, batch, sizes=sizes, not_counted=not_counted, stated=stated, settings=settings)


def _layers_and_lengths(
    what: str, settings: dict[str, Any], stated: Mapping[str, Any]
) -> tuple[list[Placed], dict[str, float]]:
    """Return a network's layers and the stated lengths that they need. Raise CountError if one of them is lacking."""
    needed: dict[str, float] = {}
    while True:  # a network reports only one missing length at a time
        try:
            return placed_layers(settings, Lengths(**needed)), needed
        except ArchitectureError as problem:
            key = str(problem.key)
            if key not in vars(Lengths()) or key in needed:
                raise CountError(f"{what}: {problem}") from None
            if key not in stated:
                raise CountError(f"{what}: needs --{key.replace('_', '-')}") from None
            needed[key] = stated[key]


def _sizes(lengths: Lengths, image_size: int | str | None, prediction_depth: int | None) -> dict[str, Any]:
    """Return the sizes that are not None. Raise CountError if the size of the image cannot be read."""
    if image_size is not None and not IMAGE_SIZE.fullmatch(str(image_size)):
        raise CountError(f"image_size {image_size!r:.60} cannot be read; write 512, 832x480 or 832x480x81 (81 frames)")
    image_size = int(image_size) if image_size is not None and str(image_size).isdigit() else image_size
    sizes = {**vars(lengths), "image_size": image_size, "prediction_depth": prediction_depth}
    return {name: size for name, size in sizes.items() if size is not None}


def _config_path(what: str) -> Path:
    path = Path(what)
    if not path.is_dir():
        return path
    if not (path / "config.json").is_file():
        raise CountError(f"{what} is a folder without a config.json")
    return path / "config.json"


def _count_config(path: Path, asked: dict[str, Any], batch: int, content: dict[str, Any] | None = None) -> Count:
    """Count a config.json, or this content of a file.

    Raise CountError, with the line in the file, for mistakes and for sizes that have no use.
    """
    text, config = ("", content) if content is not None else config_in_json(path)
    try:
        lengths = Lengths(asked.get("sequence_length"), asked.get("target_length"))
        asked_sizes = {name: asked.get(name) for name in ("image_size", "prediction_depth")}
        reading = read(config, lengths, has_own_lengths=True, **asked_sizes)
        placed = list(place(reading.nodes))
    except ArchitectureError as problem:
        is_size = problem.key in (*vars(lengths), "image_size", "prediction_depth")
        way_on = "" if is_size else f"{' Otherwise ' if str(problem).endswith('?') else '; '}{_way_on(config)}"
        raise CountError(f"{path}{_line_of(text, str(problem.key))} {problem}{way_on}") from None
    sizes = _sizes(reading.lengths, reading.image_size, reading.prediction_depth)
    _refuse_unused(str(path), asked, sizes)
    counted = _batch_count(str(path), placed, batch, sizes=sizes, not_counted=[ELEMENTWISE, *reading.not_counted])
    names = ("assumed", "defaults", "length", "passed_over")
    assumptions: dict[str, Any] = {name: getattr(reading, name) for name in names}
    settings = {"family": "hugging_face", "config": config}
    counted = replace(counted, **assumptions, weights=indexed_weights(path, config), settings=settings)
    if reading.prediction_depth:
        plain = read(config, reading.lengths, has_own_lengths=True, prediction_depth=0)
        plain_parameters = _batch_totals(list(place(plain.nodes)), 1).parameters
        counted = replace(counted, prediction_parameters=counted.totals.parameters - plain_parameters)
    if reading.length is None or reading.length.maximum <= reading.length.value or counted.tokens is None:
        return counted
    # Long sequences cost more per token, so also count at the longest one that the config allows.
    longest = _count_config(path, {**asked, "sequence_length": reading.length.maximum}, 1, content)
    return replace(counted, step_flop_per_token_at_maximum=longest.step_flop / reading.length.maximum)


def _way_on(config: dict[str, Any]) -> str:
    """Return how to count a config that cannot be read: by its parameters if it is of a model of text."""
    name, class_names = str(config.get("model_type")), config.get("architectures")
    keys = {*config, *CLASSES.get(name, {})}
    words = [name, *keys, *(str(class_names).lower().split() if class_names else ())]
    is_text = not any(map(NOT_OF_TEXT.search, words)) and ("vocab_size" in keys or "model_type" not in keys)
    return WAY_ON if is_text else WAY_ON_BY_CODE


def _line_of(text: str, key: str) -> str:
    """Return the line on which a key first occurs, such as ":7"; "" if it does not occur."""
    ending = r'"\s*:' if len(key) < MOST_DIGITS else ""
    match = re.search(f'"{re.escape(key[:MOST_DIGITS])}{ending}', text)
    return f":{text.count(chr(10), 0, match.start()) + 1}" if match else ""


def _refuse_unused(what: str, asked: dict[str, Any], used: dict[str, Any]) -> None:
    for key in (key for key in asked if key not in used):
        takes = " and ".join(f"--{name.replace('_', '-')}" for name in used)
        raise CountError(f"{what} has no use for --{key.replace('_', '-')}; it takes {takes or 'no size'}")


def _batch_count(name: str, placed: list[Placed], batch: int, **facts: Any) -> Count:
    """Return the sums over a batch, in total and per kind of layer; `facts` are further fields of the count."""
    kinds = dict.fromkeys(layer.kind for layer in placed)
    by_kind = {kind: _batch_totals([layer for layer in placed if layer.kind == kind], batch) for kind in kinds}
    shown = {kind: sums for kind, sums in by_kind.items() if any(getattr(sums, key) for key in OF_KIND)}
    return Count(name, _batch_totals(placed, batch), shown, batch, **facts)


def _batch_totals(placed: list[Placed], batch: int) -> Totals:
    once = total((layer.count, layer.backward_flop, layer.times) for layer in placed)
    operations = {key: round(value * batch) for key, value in once._asdict().items() if "flop" in key}
    return once._replace(**operations)


def countable_networks() -> Iterator[str]:
    """Yield the networks and config.json types that can be counted, one per line, with their other names."""
    for name in NAMED:
        others = ", ".join(alias for alias, meant in ALIASES.items() if meant == name)
        yield f"{name}  ({others})" if others else name
    for name in KNOWN_TYPES:
        yield f"config.json of model_type {name}"


def as_json(counted: Count) -> str:
    """Return the sums, in total and per kind of layer, and the sizes, as JSON text."""
    sums = {key: value for key, value in counted.totals._asdict().items() if key != "elementwise_flop"}
    kinds = {kind: {key: getattr(part, key) for key in OF_KIND} for kind, part in counted.by_kind.items()}
    counted_for = {**counted.sizes, "batch": counted.batch}
    step: dict[str, Any] = {"step_flop": counted.step_flop, "forward_multiply_adds": counted.totals.forward_flop // 2}
    if counted.tokens:
        step["step_flop_per_token"] = counted.step_flop / counted.tokens
    if counted.length:
        step["assumed_length"] = counted.length._asdict()
    if counted.step_flop_per_token_at_maximum:
        step["step_flop_per_token_at_maximum"] = counted.step_flop_per_token_at_maximum
    if counted.weights:
        step["weights"] = {**counted.weights._asdict(), "agree": counted.weights.agree(counted.totals.parameters)}
    return json.dumps(
        {
            **sums,
            **step,
            "by_kind": kinds,
            "counted_for": counted_for,
            **{name: getattr(counted, name) for name in NAMES},
        },
        indent=2,
        ensure_ascii=False,
    )


def as_text(counted: Count) -> Iterator[str]:
    """Yield the lines of a report with the counts and sizes."""
    assumed = {key: f"assumed from {words}" for key, words in counted.assumed.items()}
    origin = {key: f" ({words})" for key, words in {**assumed, **counted.stated}.items()}
    sizes = ", ".join(
        f"{key.replace('_', ' ')} {_size(size)}{origin.get(key, '')}" for key, size in counted.sizes.items()
    )
    yield f"{counted.name}: {sizes or 'one example'}, batch {counted.batch:,}"
    totals = counted.totals
    yield _line("parameters", totals.parameters)
    if more := counted.prediction_parameters:
        depth = counted.sizes["prediction_depth"]
        modules = f"{depth} prediction module{'s' if depth > 1 else ''}"
        yield f"    {totals.parameters - more:,}, and {_short(more / 1e9, 3)}B in {modules}"
    if totals.active_parameters != totals.parameters:
        yield _line("active, with the embedding", totals.active_parameters)
    yield _line("forward FLOP", totals.forward_flop)
    yield _line("forward multiply-adds", totals.forward_flop // 2)
    if totals.forward_flop_full_attention != totals.forward_flop:
        yield _line("forward FLOP, full attention", totals.forward_flop_full_attention)
    if totals.attention_score_flop:
        yield _line("of forward: attention scores", totals.attention_score_flop)
    yield _line("backward FLOP", totals.backward_flop)
    yield _line("per step: forward and backward", counted.step_flop)
    if counted.tokens:
        yield _line("per token: forward", totals.forward_flop / counted.tokens)
        yield _line("per token: forward and backward", counted.step_flop / counted.tokens)
    if not counted.settings:
        images = "--images" if "image_size" in counted.sizes else "--examples"
        flop = f"{counted.step_flop / 3 / counted.batch:.6g}"  # of which it adds twice as much for the backward pass
        yield f"  a whole training, with your numbers: flopledger estimate --forward-flop {flop} {images} 1M --epochs 90"
    if counted.length and counted.step_flop_per_token_at_maximum:
        yield _line(f"the same at {counted.length.maximum:,} tokens", counted.step_flop_per_token_at_maximum)
    yield f"  {'by kind of layer':<20}{'parameters':>14}{'forward_flop':>20}{'backward_flop':>20}"
    for kind, sums in counted.by_kind.items():
        yield f"    {kind:<18}{_cell(sums.parameters, 14)}{_cell(sums.forward_flop, 20)}{_cell(sums.backward_flop, 20)}"
    if counted.weights:
        yield f"  {counted.weights.comparison(counted.totals.parameters)}"
    for left_out in counted.not_counted:
        yield f"  not counted: {left_out}"
    if keys := counted.passed_over:
        more = f" and {len(keys) - MOST_KEYS:,} more" if len(keys) > MOST_KEYS else ""
        names = ", ".join(key[:MOST_LETTERS] for key in keys[:MOST_KEYS])
        yield f"  passed over, because Hugging Face's class never reads them: {names}{more}"
    if counted.defaults:
        defaults = ", ".join(f"{key} {json.dumps(value)}" for key, value in sorted(counted.defaults.items()))
        yield f"  values used for absent keys, the defaults of Hugging Face's class: {defaults}"


def _size(size: float | str) -> str:
    return size if isinstance(size, str) else f"{size:,}"


def _line(what: str, value: float) -> str:
    return f"  {what:<32}{_cell(value, 28)}{f'  {_short(value, 4)}' if value >= 1e6 else ''}"


def _short(value: float, digits: int) -> str:
    return re.sub(r"e\+0*", "e", f"{value:.{digits}g}")


def _cell(value: float, width: int) -> str:
    """Return a whole number in full if it fits, otherwise with six digits.

    >>> _cell(8178368512, 15), _cell(2.5e30, 15)
    ('  8,178,368,512', '         2.5e30')
    """
    full = f"{round(value):,}"
    return f"{full if len(full) < width else _short(value, 6):>{width}}"
