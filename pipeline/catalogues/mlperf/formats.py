"""The precision of a run of MLPerf: as its log prints it, otherwise as the config that it sources chooses it.

The config is the one that the log names, or is named after the system or the run's shape
(`config_DGXH100_64x8x3x1.sh`: 64 nodes of 8). If the files that the run read do not settle the precision, it is unknown.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

LONGEST_WORDS = 160  # characters of a line that is quoted
# How scripts of the benchmarks choose a format, the narrowest first: a run in FP8 names its 16-bit format too.
MARKS = {
    "fp4": re.compile(r"^\s*(?:export )?FP4=True\b.*", re.M),
    "fp8": re.compile(
        # NVIDIA's BERT runs its layers under fp8_autocast where --use_transformer_engine2 is given (modeling.py).
        r"^\s*(?:export )?FP8(?:_PARAMS)?=(?:True|1)\b.*|^.*--use_transformer_engine2.*|^\s*fp8: (?:true|True)\s*$"
        r"|^\s*fp8: \$\{oc\.decode:\$\{oc\.env:FP8, ?True\}\}.*"
        r"|^.*--use-fp8-transformer-engine(?! *\)).*|^.*source .*config_fp8\.sh.*",
        re.M,
    ),
    "bf16": re.compile(
        r"^.*--use_bfloat16.*|^.*--bf16\b.*|^\s*bf16: (?:true|True).*|^\s*precision: \"?bf16.*|^.*BF16_CONVERSION=1.*"
        r"|^.*bf16=True.*|^.*--dtype[ =]+\"?bf16.*|^.*--hmp-bf16.*|^.*--precision[ =]+\"?bf16.*",
        re.M,
    ),
    "fp16": re.compile(
        r"^.*--dtype[ =]+\"?float16.*|^.*--fp16\b.*|^.*fp16=True.*|^\s*precision: (?:16|fp16)\b.*|^.*\"FLOAT16\".*"
        r"|^.*DEFAULT_FLOAT=\"HALF\".*",
        re.M,
    ),
}
WIDE_FORMATS = ("bf16", "fp16")
SPOKEN_OF = re.compile(r"fp8", re.IGNORECASE)
REFUSAL = re.compile(r"^\s*(?:export )?FP8=(?:False|0)\b", re.M)
CONFIG = re.compile(r"(?:^|/)config[^/]*\.sh$")
COMMON_CONFIG = re.compile(r"(?:^|/)config[^/]*(?:common|mounts)[^/]*\.sh$")
RUN_FILE = re.compile(r"\.(?:sh|sub|ya?ml|json|cfg)$")
DEEPEST = 2  # folders below an implementation's: deeper lie copies of whole frameworks


ENTRIES = ("run.sub", "run_and_time.sh", "run_with_docker.sh")  # what starts a run, beside its config
SOURCED = re.compile(r"^\s*(?:source|\.)\s.*?([\w.+-]+\.sh)", re.M)
SETTINGS = re.compile(r"\.(?:ya?ml|json|cfg)$")
# What a log prints of the run: dumps of settings, of arguments and of the network's configuration. Narrowest first.
PRINTED = {
    "fp4": re.compile(r"\bfp4['\"]?\s*[:=]\s*['\"]?(\w+)", re.I),
    "fp8": re.compile(r"\b(?:fp8|use_transformer_engine2)['\"]?\s*[:=]\s*['\"]?(\w+)", re.I),
    "bf16": re.compile(r"\b(?:bf16|use_bfloat16)['\"]?\s*[:=]\s*['\"]?(\w+)|\bprecision['\"]?\s*[:=]\s*['\"]?(bf16)\b"),
    "fp16": re.compile(r"\bfp16=(\w+)|\b(?:precision|dtype|DTYPE)['\"]?\s*[:=]\s*['\"]?(16|fp16|float16)\b"),
}
OFF = ("false", "none", "0")
LOGGED_CONFIG = re.compile(
    r"^(?:\d+: *)?:::DLPAL .* '?unknown'? (\S+)\s*$", re.M
)  # NVIDIA's scripts print which config
# Words of a path that name the maker of a machine's chips.
MAKERS = {
    "AMD": re.compile(r"MI\d{3}|amd(?!64)|tinybox_red", re.I),
    "Intel": re.compile(r"gaudi|habana|HLS|HL-?\d", re.I),
    "Google": re.compile(r"tpu", re.I),
    "Graphcore": re.compile(r"ipu|pod\d", re.I),
    "NVIDIA": re.compile(r"(?:(?<![a-z])|(?<=x))[abhlv]\d{2,3}(?!\d)|dgx|g[bh]\d00|tesla|tinybox_green|nvidia", re.I),
}


class FormatError(Exception):
    """Why a run's files do not settle its precision, as a sentence."""


@dataclass(frozen=True)
class Chip:
    """What the ledger's record of a chip says: its maker and the precisions that it has a peak for."""

    id: str
    maker: str
    formats: tuple[str, ...]


@dataclass(frozen=True)
class Machine:
    """The machine of a run: a submitter's system of `nodes` x `chips_per_node` chips, and the benchmark that it ran."""

    system: str
    benchmark: str
    nodes: int
    chips_per_node: int
    chip: Chip


@dataclass(frozen=True)
class StatedFormat:
    """A precision, the words that choose it, and the path of their file."""

    precision: str
    words: str
    path: str


def readable(path: str, implementation: str) -> bool:
    """Whether a file of an implementation's folder may choose the precision."""
    return bool(RUN_FILE.search(path)) and path[len(implementation) :].count("/") <= DEEPEST


def printed_format(path: str, text: str, chip_formats: Collection[str]) -> StatedFormat | None:
    """Return the narrowest precision that a log prints as on; None unless it prints each narrower one of the chip as off.

    Raises:
        FormatError: the log prints one precision as on and off, or two 16-bit ones as on.
    """
    said = {}
    for precision, mark in PRINTED.items():
        matches = list(mark.finditer(text))
        is_on = [next(word for word in match.groups() if word).lower() not in OFF for match in matches]
        if len(set(is_on)) == 2:
            raise FormatError(f"its log prints {precision} both as on and as off")
        if matches:
            said[precision] = is_on[0], " ".join(matches[0].group().split())
    on = [precision for precision in PRINTED if said.get(precision, (False,))[0] and precision in chip_formats]
    if {*WIDE_FORMATS} <= {*on}:
        raise FormatError("its log prints two 16-bit precisions as on")
    narrow = [each for each in PRINTED if each in chip_formats and each not in WIDE_FORMATS]
    if not on or any(each not in said for each in (narrow[: narrow.index(on[0])] if on[0] in narrow else narrow)):
        return None
    return StatedFormat(on[0], ", ".join(words for _, words in said.values()), path)


def stated_format(texts: Mapping[str, str], machine: Machine, log: str = "") -> StatedFormat | None:
    """Return the precision of a machine's run, by the files of one implementation that the run read.

    The run's log may name its config. Folders and configs that name chips of another maker are left out. If several
    configs fit, they must read the precision from the same file.

    Raises:
        FormatError: a config sources itself.
    """
    configs = [path for path in texts if CONFIG.search(path) and not COMMON_CONFIG.search(path)]
    if named := LOGGED_CONFIG.findall(log):
        fitting = [path for path in configs if path.endswith(f"/config_{named[-1]}.sh")]
    else:
        fitting = _fitting(configs, machine)
    if not configs:
        own = [path for path in texts if _names_maker(path, machine.chip.maker)]
        return _chosen(own, texts, machine.chip.formats)
    chosen = [_chosen(_read_by(path, texts), texts, machine.chip.formats) for path in fitting]
    one_file = {(each.precision, each.path) if each else None for each in chosen}
    return chosen[0] if len(one_file) == 1 else None


def _fitting(configs: list[str], machine: Machine) -> list[str]:
    """Return the config of the system, otherwise those of its shape (by chip and task if these tell them apart), or all."""
    own = [path for path in configs if _names_maker(path, machine.chip.maker)]
    if of_system := [path for path in own if path.endswith(f"/config_{machine.system}.sh")]:
        return of_system
    shape = rf"(?<!\d)0*{machine.nodes}x(?:[A-Za-z]\w*x)?0*{machine.chips_per_node}(?!\d)"
    fitting = [path for path in own if re.search(shape, path.rsplit("/", 1)[-1])]
    model = next((word for word in machine.chip.id.split("-") if re.search(r"\d", word)), "")
    for word in (rf"(?<!g){model}", rf"_{machine.benchmark.rsplit('_', 1)[-1]}(?![0-9a-z])"):
        fitting = [path for path in fitting if re.search(word, path.rsplit("/", 1)[-1], re.I)] or fitting
    return fitting or own


def _names_maker(path: str, maker: str) -> bool:
    """Return whether a path names this maker's chips or nobody's."""
    named = {each for each, words in MAKERS.items() if words.search(path.partition("/benchmark")[2] or path)}
    return not named or maker in named


def _read_by(config: str, texts: Mapping[str, str]) -> list[str]:
    """Return a config, what it sources, and the scripts and settings that the run's own scripts name."""
    found: list[str] = []
    folder = config.rsplit("/", 1)[0] + "/"
    left = _sourced(config, texts, ()) + [folder + name for name in ENTRIES if folder + name in texts]
    while left:
        path = left.pop(0)
        found.append(path)
        words = {*re.findall(r"[\w.+-]+", texts[path])}
        for other in texts:
            name = other.rsplit("/", 1)[-1]
            is_named = name in words or (SETTINGS.search(name) and name.rsplit(".", 1)[0] in words)
            if is_named and other.startswith(folder) and other not in [*found, *left] and not CONFIG.search(other):
                left.append(other)
    return found


def _sourced(config: str, texts: Mapping[str, str], above: tuple[str, ...]) -> list[str]:
    """Return a config and what it sources, followed to its end; of files of one name the nearest."""
    if config in above:
        raise FormatError(f"{config} sources itself")
    found = [config]
    for name in SOURCED.findall(texts[config]):
        alike = [path for path in texts if path.rsplit("/", 1)[-1] == name]
        for near in _beside(config, alike)[:1]:
            found += [path for path in _sourced(near, texts, (*above, config)) if path not in found]
    return found


def _beside(config: str, paths: list[str]) -> list[str]:
    """Return those of the config's own folder or below, otherwise all."""
    folder = config.rsplit("/", 1)[0] + "/"
    return [path for path in paths if path.startswith(folder)] or paths


def _chosen(paths: list[str], texts: Mapping[str, str], chip_formats: Collection[str]) -> StatedFormat | None:
    first = {}
    for precision, mark in MARKS.items():
        matches = ((path, mark.search(texts[path])) for path in paths)
        hit = next(((path, match) for path, match in matches if match), None)
        if hit and precision in chip_formats:
            first[precision] = StatedFormat(precision, " ".join(hit[1].group().split())[:LONGEST_WORDS], hit[0])
    is_refused = bool(REFUSAL.search(texts[paths[0]])) if paths else False
    if "fp4" in first:
        return first["fp4"]
    if "fp8" in first and not is_refused:
        return first["fp8"]
    # Where FP8 is chosen by what these files do not hold, the 16-bit format that they name says nothing.
    if "fp8" in chip_formats and not is_refused and any(SPOKEN_OF.search(texts[path]) for path in paths):
        return None
    wide = [first[precision] for precision in WIDE_FORMATS if precision in first]
    return wide[0] if len(wide) == 1 else None
