"""Parameters and operations of a written architecture: a config.json or a named network."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from pipeline.architectures import placed_layers
from pipeline.architectures.configs import READERS, read
from pipeline.architectures.named import ALIASES, NAMED, named
from pipeline.architectures.network import FAMILIES, ArchitectureError, Lengths, Placed, place
from pipeline.formulas.totals import Totals, total
from schemas.spelling import find

LARGEST_BYTES = 10_000_000
MOST_DIGITS = 300
ELEMENTWISE = "elementwise operations: normalisation, activation, softmax, pooling, sums, rotary positions"
OF_KIND = ("parameters", "forward_flop", "backward_flop")


class CountError(ValueError):
    """A network that cannot be counted; one line with the place, the problem and the nearest valid value."""


@dataclass(frozen=True)
class Count:
    """The sums of a batch of examples; `sizes` are an example's, `assumed` the keys of the config that they came from.

    `training` is a number of tokens or images that the network sees, by their unit.
    """

    name: str
    totals: Totals
    by_kind: dict[str, Totals]
    not_counted: list[str]
    sizes: dict[str, float]
    assumed: dict[str, str]
    defaults: dict[str, Any]
    batch: int
    training: tuple[str, float] | None = None

    @property
    def tokens(self) -> int | None:
        """Tokens of the batch; None where an example is no sequence of tokens, or has two lengths."""
        length = self.sizes.get("sequence_length")
        is_text = length is not None and "target_length" not in self.sizes and "image_size" not in self.sizes
        return int(length) * self.batch if is_text and length else None

    @property
    def step_flop(self) -> float:
        """Forward and backward of the batch."""
        return self.totals.forward_flop + self.totals.backward_flop

    @property
    def training_flop(self) -> float | None:
        """FLOP of seeing so many tokens or images; None where `training` is None."""
        if self.training is None:
            return None
        unit, seen = self.training
        return self.step_flop * seen / (self.batch if unit == "image" else self.tokens or 1)


def with_training(counted: Count, unit: str, seen: float) -> Count:
    """The count with so many tokens or images of training. Raises CountError for a network that sees none of these."""
    has_images = "image_size" in counted.sizes
    if unit == "image" and not has_images:
        raise CountError(f"{counted.name} sees no images; state --tokens")
    if unit == "token" and counted.tokens is None:
        needs = "images; state --images" if has_images else "no tokens of one known length; state --sequence-length"
        raise CountError(f"{counted.name} sees {needs}")
    return replace(counted, training=(unit, seen))


def is_name(what: str) -> bool:
    """Whether this is the name of a network, however it is spelt.

    >>> is_name("ViT-B/16"), is_name("openai/gpt2")
    (True, False)
    """
    return find(what, (*NAMED, *ALIASES)) is not None


def count(what: str, lengths: Lengths, image_size: int | None = None, batch: int = 1) -> Count:
    """Counts a config.json, where there is such a file or a folder that holds it, or the network of that name."""
    path = Path(what)
    if path.is_dir():
        path /= "config.json"
        if not path.is_file():
            raise CountError(f"{what} is a folder without a config.json")
    if path.suffix == ".json" or path.is_file():
        return _count_config(path, lengths, image_size, batch)
    try:
        settings = named(what)
    except ArchitectureError as problem:
        raise CountError(str(problem)) from None
    keys = {entry.name for entry in fields(FAMILIES[settings["family"]])}  # type: ignore[arg-type]
    if image_size is not None and "image_size" in keys:
        settings["image_size"] = image_size
    sizes = {"image_size": settings["image_size"]} if "image_size" in settings else {}
    asked = {"sequence_length": lengths.sequence_length, "target_length": lengths.target_length}
    if "image_size" in keys:
        _refuse_unused(what, {**asked, "image_size": None}, sizes)
    else:
        sizes = {key: size for key, size in asked.items() if size is not None}
    try:
        placed = placed_layers(settings, lengths)
    except ArchitectureError as problem:
        said = f"needs --{str(problem.key).replace('_', '-')}" if problem.key in asked else str(problem)
        raise CountError(f"{what}: {said}") from None
    _refuse_unused(what, {"image_size": image_size}, {"image_size": 0} if "image_size" in keys else {})
    return _summed(what, placed, sizes, batch)


def _count_config(path: Path, lengths: Lengths, image_size: int | None, batch: int) -> Count:
    """Counts a config.json. Raises CountError with the file's line, or for a size that this network does not use."""
    text, config = _read(path)
    try:
        reading = read(config, lengths, image_size, has_own_lengths=True)
        placed = list(place(reading.nodes))
    except ArchitectureError as problem:
        key_match = re.search(rf'"{re.escape(str(problem.key))}"\s*:', text)
        line = f":{text.count(chr(10), 0, key_match.start()) + 1}" if key_match else ""
        raise CountError(f"{path}{line} {problem}") from None
    optional_sizes = {
        "sequence_length": reading.lengths.sequence_length,
        "target_length": reading.lengths.target_length,
        "image_size": reading.image_size,
    }
    sizes = {key: size for key, size in optional_sizes.items() if size is not None}
    requested = {
        "sequence_length": lengths.sequence_length,
        "target_length": lengths.target_length,
        "image_size": image_size,
    }
    _refuse_unused(str(path), requested, sizes)
    left_out = [ELEMENTWISE, *reading.not_counted]
    return _summed(str(path), placed, sizes, batch, left_out, reading.assumed, reading.defaults)


def config_of(path: Path) -> dict[str, Any]:
    """The content of a config.json. Raises CountError, in one line, where it is not a mapping in JSON."""
    return _read(path)[1]


def _read(path: Path) -> tuple[str, dict[str, Any]]:
    text = _text(path)
    try:
        config = json.loads(text, object_pairs_hook=_without_repeats, parse_int=_integer)
    except json.JSONDecodeError as problem:
        page = "is a web page, not the config.json on it: download the raw file"
        is_page = text.lstrip().startswith("<")
        what = "is empty" if not text.strip() else page if is_page else f"is not JSON: {problem.msg}"
        raise CountError(f"{path}:{problem.lineno} {what}") from None
    except (ValueError, RecursionError) as problem:
        what = "is nested too deeply" if isinstance(problem, RecursionError) else str(problem)
        raise CountError(f"{path} {what}") from None
    if not isinstance(config, dict):
        kind = {list: "a list", str: "a text"}.get(type(config), "a single value")
        raise CountError(f"{path}:1 must hold a mapping of keys to values, not {kind}")
    return text, config


def _text(path: Path) -> str:
    try:
        if path.exists() and not path.is_file():  # a pipe may be waited for without end
            raise CountError(f"{path} is no regular file")
        with path.open("rb") as file:
            content = file.read(LARGEST_BYTES + 1)
        if len(content) > LARGEST_BYTES:
            raise CountError(f"{path} is larger than {LARGEST_BYTES:,} bytes")
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise CountError(f"{path} is not text in UTF-8") from None
    except OSError as problem:
        raise CountError(f"{path} cannot be read: {(problem.strerror or str(problem)).lower()}") from None


def _integer(digits: str) -> int:
    if len(digits) > MOST_DIGITS:  # Python refuses to parse integers of thousands of digits
        raise ValueError(f"has an integer of {len(digits):,} digits; no size of a network has more than {MOST_DIGITS}")
    return int(digits)


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content: dict[str, Any] = {}
    for name, value in pairs:
        if name in content:
            raise ValueError(f"states {name!r} twice")
        content[name] = value
    return content


def _refuse_unused(what: str, asked: dict[str, Any], used: dict[str, Any]) -> None:
    for key, size in asked.items():
        if size is not None and key not in used:
            takes = " and ".join(f"--{name.replace('_', '-')}" for name in used)
            said = f"takes {takes}" if takes else "takes no size"
            raise CountError(f"{what} has no use for --{key.replace('_', '-')}; it {said}")


def _summed(
    name: str,
    placed: list[Placed],
    sizes: dict[str, float],
    batch: int,
    not_counted: list[str] | None = None,
    assumed: dict[str, str] | None = None,
    defaults: dict[str, Any] | None = None,
) -> Count:
    kinds = dict.fromkeys(layer.kind for layer in placed)
    by_kind = {kind: _batched([layer for layer in placed if layer.kind == kind], batch) for kind in kinds}
    shown = {kind: sums for kind, sums in by_kind.items() if any(getattr(sums, key) for key in OF_KIND)}
    totals = _batched(placed, batch)
    return Count(name, totals, shown, not_counted or [ELEMENTWISE], sizes, assumed or {}, defaults or {}, batch)


def _batched(placed: list[Placed], batch: int) -> Totals:
    once = total((layer.count, layer.backward_flop, layer.times) for layer in placed)
    operations = {key: round(value * batch) for key, value in once._asdict().items() if "flop" in key}
    return once._replace(**operations)


def known() -> Iterator[str]:
    """The networks and the types of config.json that can be counted, one a line, with their other names."""
    for name in NAMED:
        others = ", ".join(alias for alias, meant in ALIASES.items() if meant == name)
        yield f"{name}  ({others})" if others else name
    for name in sorted(READERS):
        yield f"config.json of model_type {name}"


def as_json(counted: Count) -> str:
    """The sums, those of each kind of layer, and what they were counted for."""
    sums = {key: value for key, value in counted.totals._asdict().items() if key != "elementwise_flop"}
    kinds = {kind: {key: getattr(part, key) for key in OF_KIND} for kind, part in counted.by_kind.items()}
    counted_for = {**counted.sizes, "batch": counted.batch}
    step = {"step_flop": counted.step_flop, "forward_multiply_adds": counted.totals.forward_flop // 2}
    if counted.tokens:
        step["step_flop_per_token"] = counted.step_flop / counted.tokens
    if counted.training:
        step |= {f"training_{counted.training[0]}s": counted.training[1], "training_flop": counted.training_flop}
    return json.dumps(
        {
            **sums,
            **step,
            "by_kind": kinds,
            "not_counted": counted.not_counted,
            "counted_for": counted_for,
            "assumed": counted.assumed,
            "defaults": counted.defaults,
        },
        indent=2,
        ensure_ascii=False,
    )


def as_text(counted: Count) -> Iterator[str]:
    """The same as text, one item a line."""
    origin = {key: f" (the config's {name})" for key, name in counted.assumed.items()}
    sizes = ", ".join(f"{key.replace('_', ' ')} {size:,}{origin.get(key, '')}" for key, size in counted.sizes.items())
    yield f"{counted.name}: {sizes or 'one example'}, batch {counted.batch:,}"
    totals = counted.totals
    yield _line("parameters", totals.parameters)
    if totals.active_parameters != totals.parameters:
        yield _line("active parameters", totals.active_parameters)
    yield _line("forward FLOP", totals.forward_flop)
    yield _line("forward multiply-adds", totals.forward_flop // 2)
    if totals.forward_flop_full_attention != totals.forward_flop:
        yield _line("forward FLOP, full attention", totals.forward_flop_full_attention)
    if totals.attention_score_flop:
        yield _line("of forward: attention scores", totals.attention_score_flop)
    yield _line("backward FLOP", totals.backward_flop)
    yield _line("a step: forward and backward", counted.step_flop)
    if counted.tokens:
        yield _line("a token: forward", totals.forward_flop / counted.tokens)
        yield _line("a token: forward and backward", counted.step_flop / counted.tokens)
    if counted.training and counted.training_flop:
        unit, seen = counted.training
        yield _line(f"training on {_short(seen, 4)} {unit}s", counted.training_flop)
    yield f"  {'by kind of layer':<20}{'parameters':>14}{'forward_flop':>20}{'backward_flop':>20}"
    for kind, sums in counted.by_kind.items():
        yield f"    {kind:<18}{_cell(sums.parameters, 14)}{_cell(sums.forward_flop, 20)}{_cell(sums.backward_flop, 20)}"
    for left_out in counted.not_counted:
        yield f"  not counted: {left_out}"
    if counted.defaults:
        taken = ", ".join(f"{key} {json.dumps(value)}" for key, value in sorted(counted.defaults.items()))
        yield f"  taken for absent keys, as Hugging Face's class does: {taken}"


def _line(what: str, value: float) -> str:
    return f"  {what:<32}{_cell(value, 28)}{f'  {_short(value, 4)}' if value >= 1e6 else ''}"


def _short(value: float, digits: int) -> str:
    return re.sub(r"e\+0*", "e", f"{value:.{digits}g}")


def _cell(value: float, width: int) -> str:
    """A whole number in full where it fits, else with six digits.

    >>> _cell(8178368512, 15), _cell(2.5e30, 15)
    ('  8,178,368,512', '         2.5e30')
    """
    full = f"{round(value):,}"
    return f"{full if len(full) < width else _short(value, 6):>{width}}"
