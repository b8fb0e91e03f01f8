"""The number format of a run, which MLPerf's logs do not have: from the scripts and settings of its implementation.

A script that is named after the run's shape (`config_DGXH100_64x8x3x1.sh`: 64 nodes of 8) is read before the settings
that all shapes share. Where scripts of one shape disagree, two 16-bit formats are named, or FP8 is an option that is
chosen elsewhere, nothing is said.
"""

import re
from collections.abc import Iterable, Mapping
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
COMMON_CONFIG = re.compile(r"(?:^|/)config[^/]*common[^/]*\.sh$")
RUN_FILE = re.compile(r"\.(?:sh|sub|ya?ml|json|cfg)$")
DEEPEST = 2  # folders below an implementation's: deeper lie copies of whole frameworks


@dataclass(frozen=True)
class StatedFormat:
    """A number format, the line of a script that chooses it, and the script's path."""

    precision: str
    words: str
    path: str


def readable(path: str, implementation: str) -> bool:
    """Whether a file of an implementation's folder may choose the format."""
    return bool(RUN_FILE.search(path)) and path[len(implementation) :].count("/") <= DEEPEST


def stated_format(
    texts: Mapping[str, str], system: str, nodes: int, chips_per_node: int, chip_formats: Iterable[str]
) -> StatedFormat | None:
    """The number format of a system's run of this shape, on a chip with these formats, by its implementation's scripts."""
    configs = [path for path in texts if CONFIG.search(path) and not COMMON_CONFIG.search(path)]
    shape = re.compile(rf"(?<!\d)0*{nodes}x(?:[A-Za-z]\w*x)?0*{chips_per_node}(?!\d)")
    of_system = [path for path in configs if path.endswith(f"/config_{system}.sh")]
    of_shape = of_system or [path for path in configs if shape.search(path.rsplit("/", 1)[-1])]
    common = [path for path in texts if COMMON_CONFIG.search(path)]
    others = [path for path in texts if path not in configs and path not in common]
    chosen = [
        _chosen([config, *_beside(config, common), *_beside(config, others)], texts, set(chip_formats))
        for config in of_shape or configs
    ] or [_chosen([*common, *others], texts, set(chip_formats))]
    first = chosen[0]
    agree = first is not None and all(each is not None and each.precision == first.precision for each in chosen)
    return first if agree else None


def _beside(config: str, paths: list[str]) -> list[str]:
    """Those of the config's own folder or below, else all."""
    folder = config.rsplit("/", 1)[0] + "/"
    return [path for path in paths if path.startswith(folder)] or paths


def _chosen(paths: list[str], texts: Mapping[str, str], chip_formats: set[str]) -> StatedFormat | None:
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
