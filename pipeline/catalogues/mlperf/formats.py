"""Find the precision of an MLPerf run: printed in its log, or chosen by the config that the run sources.

Either the log names the config, or the config is named after the system or the run's shape
(`config_DGXH100_64x8x3x1.sh` means 64 nodes of 8 chips). If the files that the run read do not determine the precision,
it is unknown.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

LONGEST_WORDS = 160  # characters of a line that we quote
# How the benchmarks' scripts choose a precision, narrowest first, because a run in FP8 names its 16-bit precision too.
MARKS = {
    "fp4": re.compile(r"^\s*(?:export )?FP4=True\b.*", re.M),
    "fp8": re.compile(
        # NVIDIA's BERT runs its layers under fp8_autocast if --use_transformer_engine2 is given (modeling.py).
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
DEEPEST = 2  # levels of folders below an implementation's folder; deeper folders are copies of whole frameworks
ENTRIES = ("run.sub", "run_and_time.sh", "run_with_docker.sh")  # launch scripts, read in addition to the config
SOURCED = re.compile(r"^\s*(?:source|\.)\s.*?([\w.+-]+\.sh)", re.M)
SETTINGS = re.compile(r"\.(?:ya?ml|json|cfg)$")
# How logs print precisions, narrowest first, in dumps of settings, arguments and the network's configuration.
PRINTED = {
    "fp4": re.compile(r"\bfp4['\"]?\s*[:=]\s*['\"]?(\w+)", re.I),
    "fp8": re.compile(r"\b(?:fp8|use_transformer_engine2)['\"]?\s*[:=]\s*['\"]?(\w+)", re.I),
    "bf16": re.compile(r"\b(?:bf16|use_bfloat16)['\"]?\s*[:=]\s*['\"]?(\w+)|\bprecision['\"]?\s*[:=]\s*['\"]?(bf16)\b"),
    "fp16": re.compile(r"\bfp16=(\w+)|\b(?:precision|dtype|DTYPE)['\"]?\s*[:=]\s*['\"]?(16|fp16|float16)\b"),
}
OFF = ("false", "none", "0")
# NVIDIA's scripts print the name of the config.
LOGGED_CONFIG = re.compile(r"^(?:\d+: *)?:::DLPAL .* '?unknown'? (\S+)\s*$", re.M)
# Words in a path that name the maker of a machine's chips.
MAKERS = {
    "AMD": re.compile(r"MI\d{3}|amd(?!64)|tinybox_red", re.I),
    "Intel": re.compile(r"gaudi|habana|HLS|HL-?\d", re.I),
    "Google": re.compile(r"tpu", re.I),
    "Graphcore": re.compile(r"ipu|pod\d", re.I),
    "NVIDIA": re.compile(r"(?:(?<![a-z])|(?<=x))[abhlv]\d{2,3}(?!\d)|dgx|g[bh]\d00|tesla|tinybox_green|nvidia", re.I),
}


class FormatError(Exception):
    """A run whose files contradict each other about its precision. The message is a sentence."""


@dataclass(frozen=True)
class Chip:
    """A chip in the ledger: its maker, and the precisions for which it has a peak."""

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
    """A precision, the words that choose it, and the path of the file with these words."""

    precision: str
    words: str
    path: str


def readable(path: str, implementation: str) -> bool:
    """Return whether a file in an implementation's folder may determine the precision."""
    return bool(RUN_FILE.search(path)) and path[len(implementation) :].count("/") <= DEEPEST


def printed_format(path: str, text: str, chip_formats: Collection[str]) -> StatedFormat | None:
    """Return the narrowest precision that a log prints as on, if it prints all narrower ones of the chip as off; otherwise None.

    Raises:
        FormatError: the log prints one precision as both on and off, or two 16-bit ones as on.
    """
    printed = {}
    for precision, mark in PRINTED.items():
        matches = list(mark.finditer(text))
        is_on = [next(word for word in match.groups() if word).lower() not in OFF for match in matches]
        if len(set(is_on)) == 2:
            raise FormatError(f"its log prints {precision} both as on and as off")
        if matches:
            printed[precision] = is_on[0], " ".join(matches[0].group().split())
    on_formats = [
        precision for precision in PRINTED if printed.get(precision, (False,))[0] and precision in chip_formats
    ]
    if {*WIDE_FORMATS} <= {*on_formats}:
        raise FormatError("its log prints two 16-bit precisions as on")
    # PRINTED lists narrow precisions first, so on_formats[0] is the narrowest that is on. Every narrower one must be
    # printed as off, because one that is not printed may still be on.
    narrow = [name for name in PRINTED if name in chip_formats and name not in WIDE_FORMATS]
    if not on_formats or any(
        name not in printed for name in (narrow[: narrow.index(on_formats[0])] if on_formats[0] in narrow else narrow)
    ):
        return None
    return StatedFormat(on_formats[0], ", ".join(words for _, words in printed.values()), path)


def stated_format(texts: Mapping[str, str], machine: Machine, log: str = "") -> StatedFormat | None:
    """Return the precision of a machine's run, from the files of one implementation that the run read.

    The run's log may name its config. Folders and configs for chips of another maker are ignored. Return None if the
    files leave the precision open, or if several configs fit and get it from different files.

    Raises:
        FormatError: a config sources itself.
    """
    formats = machine.chip.formats
    configs = [path for path in texts if CONFIG.search(path) and not COMMON_CONFIG.search(path)]
    if not configs:
        return _chosen([path for path in texts if _names_maker(path, machine.chip.maker)], texts, formats)
    if logged := LOGGED_CONFIG.findall(log):
        configs = [path for path in configs if path.endswith(f"/config_{logged[-1]}.sh")]
    else:
        configs = _fitting(configs, machine)
    by_config = [_chosen(_read_by(path, texts), texts, formats) for path in configs]
    # Several configs agree only if they take the same precision from the same file, or all leave it open (None).
    origins = {(statement.precision, statement.path) if statement else None for statement in by_config}
    return by_config[0] if len(origins) == 1 else None


def _fitting(configs: list[str], machine: Machine) -> list[str]:
    """Return the configs that may have set up a run, from the most specific rule that finds any.

    Configs named after the system come first, then those for its number of nodes and chips (narrowed by chip and task where
    that leaves any), then all for its chips' maker.
    """
    maker_paths = [path for path in configs if _names_maker(path, machine.chip.maker)]
    if system_configs := [path for path in maker_paths if path.endswith(f"/config_{machine.system}.sh")]:
        return system_configs
    shape = rf"(?<!\d)0*{machine.nodes}x(?:[A-Za-z]\w*x)?0*{machine.chips_per_node}(?!\d)"
    fitting = [path for path in maker_paths if re.search(shape, path.rsplit("/", 1)[-1])]
    model = next((word for word in machine.chip.id.split("-") if re.search(r"\d", word)), "")
    for word in (rf"(?<!g){model}", rf"_{machine.benchmark.rsplit('_', 1)[-1]}(?![0-9a-z])"):
        fitting = [path for path in fitting if re.search(word, path.rsplit("/", 1)[-1], re.I)] or fitting
    return fitting or maker_paths


def _names_maker(path: str, maker: str) -> bool:
    """Return whether a path names this maker's chips, or no maker's chips at all."""
    named = {name for name, words in MAKERS.items() if words.search(path.partition("/benchmark")[2] or path)}
    return not named or maker in named


def _read_by(config: str, texts: Mapping[str, str]) -> list[str]:
    """Return a config, the files that it sources, and the scripts and settings that the run's own scripts name."""
    read_paths: list[str] = []
    folder = config.rsplit("/", 1)[0] + "/"
    left = _sourced(config, texts, ()) + [folder + name for name in ENTRIES if folder + name in texts]
    while left:
        path = left.pop(0)
        read_paths.append(path)
        words = {*re.findall(r"[\w.+-]+", texts[path])}
        for other in texts:
            name = other.rsplit("/", 1)[-1]
            is_named = name in words or (SETTINGS.search(name) and name.rsplit(".", 1)[0] in words)
            if is_named and other.startswith(folder) and other not in [*read_paths, *left] and not CONFIG.search(other):
                left.append(other)
    return read_paths


def _sourced(config: str, texts: Mapping[str, str], above: tuple[str, ...]) -> list[str]:
    """Return a config and all files that it sources, directly or indirectly. Of files with one name, take one in or below its folder."""
    if config in above:
        raise FormatError(f"{config} sources itself")
    paths, folder = [config], config.rsplit("/", 1)[0] + "/"
    for name in SOURCED.findall(texts[config]):
        candidates = [path for path in texts if path.rsplit("/", 1)[-1] == name]
        # The first one, if there is any; those in or below the folder come first.
        for nearest in sorted(candidates, key=lambda path: not path.startswith(folder))[:1]:
            paths += [path for path in _sourced(nearest, texts, (*above, config)) if path not in paths]
    return paths


def _chosen(paths: list[str], texts: Mapping[str, str], chip_formats: Collection[str]) -> StatedFormat | None:
    """Return the narrowest precision that these files choose, or None if they leave it open."""
    first_by_format = {}
    for precision, mark in MARKS.items():
        matches = ((path, mark.search(texts[path])) for path in paths)
        first_match = next(((path, match) for path, match in matches if match), None)
        if first_match and precision in chip_formats:
            first_by_format[precision] = StatedFormat(
                precision, " ".join(first_match[1].group().split())[:LONGEST_WORDS], first_match[0]
            )
    is_refused = bool(REFUSAL.search(texts[paths[0]])) if paths else False
    if "fp4" in first_by_format:
        return first_by_format["fp4"]
    if "fp8" in first_by_format and not is_refused:
        return first_by_format["fp8"]
    # If something outside these files may choose FP8, the 16-bit precision that they name is no evidence.
    if "fp8" in chip_formats and not is_refused and any(SPOKEN_OF.search(texts[path]) for path in paths):
        return None
    wide = [first_by_format[precision] for precision in WIDE_FORMATS if precision in first_by_format]
    return wide[0] if len(wide) == 1 else None
