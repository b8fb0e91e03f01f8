"""The measurement record of a run as YAML text, in the form of data/records/measurements.

It has the training steps alone, as the throughput of the median step; the rest is in results.json.
"""

import json
import re
from collections.abc import Iterable
from typing import Any

from pipeline.formulas.utilization import largest_utilization_fraction, utilization_fraction
from pipeline.measure.harness.chips import LedgerChip
from pipeline.measure.harness.networks import Network
from pipeline.measure.harness.report import Results, of_part
from pipeline.measure.harness.timings import median_seconds, ratio

LICENCE = "CC-BY-4.0"
SOURCE = "run"
SIGNIFICANT_DIGITS = 6  # of a throughput


def identifier(environment: dict[str, Any], chip: LedgerChip | None) -> str:
    """The id of a run: its chip and its date.

    >>> identifier({"device_name": "Intel(R) Xeon(R) @ 2.2GHz", "date": "2026-11-21"}, None)
    'measured-intel-r-xeon-r-2-2ghz-2026-11-21'
    """
    name = chip.identifier if chip else environment["device_name"]
    return f"measured-{'-'.join(re.findall('[a-z0-9]+', name.lower()))}-{environment['date']}"


def description(environment: dict[str, Any], options: dict[str, Any]) -> str:
    """The machine and the method, in sentences."""
    smi = environment.get("nvidia_smi") or {}
    parts = [
        f"{environment['device_name']}, torch {environment['torch']}",
        f"CUDA {environment['cuda']}, cuDNN {environment['cudnn']}" if environment.get("cuda") else "no CUDA",
        f"driver {smi['driver_version']}" if smi.get("driver_version") else "driver unknown",
        f"clocks {smi.get('clocks.sm')} of at most {smi.get('clocks.max.sm')}" if smi else "clocks unknown",
        f"{environment['threads']} threads, {environment['system']}",
        environment["date"],
    ]
    how = (
        f"Random inputs, {options['warm_ups']} warm-up steps, the median of at most {options['repeats']} steps, each waited for; "
        "a step is forward, loss, backward and optimizer (SGD with momentum for images, AdamW for sequences)."
    )
    quick = " A quick run of small networks: a smoke test, not a measurement." if options.get("is_quick") else ""
    return f"{'; '.join(parts)}. {how}{quick}"


def record(
    results: Results,
    networks: Iterable[Network],
    environment: dict[str, Any],
    options: dict[str, Any],
    chip: LedgerChip | None,
) -> str:
    """The record as YAML.

    A timing is `rejected` on a chip that the ledger does not have, in a precision without a peak, or above the largest
    possible utilization.
    """
    known = {network.name: network for network in networks}
    timed = [(words, result) for words, result in of_part(results, "time") if words[1] in known]
    used = {words[1]: known[words[1]] for words, _ in timed}
    rows, rejected = [], []
    for words, result in timed:
        reason = _rejection(chip, result, known[words[1]])
        if reason is None and chip is not None:
            rows.append(_row(words, result, known[words[1]], chip))
        else:
            rejected.append(_rejected(words, result, known[words[1]], str(reason)))
    title = f"FLOP Ledger measuring harness on {environment['device_name']}, {environment['date']}"
    lines = [
        f"name: {text(title)}",
        f"licence: {LICENCE}",
        "run: script",
        "sources:",
        f"  {SOURCE}: {{title: {text(description(environment, options))}, year: {environment['date'][:4]}}}",
        "architectures:" if used else "architectures: {}",
        *(f"  {_id(name)}: {flow({'source': SOURCE, **network.settings})}" for name, network in used.items()),
        f"note: {text(_note(results))}",
        *_listed("rows", rows),
        *_listed("rejected", rejected),
    ]
    return "\n".join(lines) + "\n"


def _note(results: Results) -> str:
    ceilings = {words[-1]: result for words, result in of_part(results, "ceilings")}
    reached = [f"{name} {result['flop_per_second']:.4g} FLOP/s" for name, result in ceilings.items() if name != "copy"]
    copied = [
        f"copying {result['bytes_per_second']:.4g} bytes/s" for name, result in ceilings.items() if name == "copy"
    ]
    reached_here = f" This machine's own ceilings: {', '.join([*reached, *copied])}." if ceilings else ""
    return f"Written by flopledger measure; every timing with its quartiles is in results.json.{reached_here}"


def _listed(key: str, entries: list[list[str]]) -> list[str]:
    if not entries:
        return [f"{key}: []"]
    return [
        f"{key}:",
        *(f"{'  - ' if not index else '    '}{line}" for entry in entries for index, line in enumerate(entry)),
    ]


def _rejection(chip: LedgerChip | None, result: dict[str, Any], network: Network) -> str | None:
    if chip is None:
        return "unknown_chip"
    precision = result["precision"]
    if precision not in chip.peaks:
        return "unknown_precision"
    count = network.totals()
    flop_per_second = (count.forward_flop + count.backward_flop) * float(_throughput(result))
    reached = utilization_fraction(flop_per_second, 1, chip.peaks[precision])
    return "above_peak" if reached > largest_utilization_fraction(network.kind, precision) else None


def _row(words: list[str], result: dict[str, Any], network: Network, chip: LedgerChip) -> list[str]:
    length = [f"sequence_length: {network.sequence_length}"] if network.sequence_length else []
    fact = {"value": f"{_throughput(result)} {network.unit}_per_second", "source": SOURCE, "via": _via(words)}
    return [
        f"row: {_row_name(words, result)}",
        f"architecture: {_id(words[1])}",
        f"network: {network.kind}",
        f"chip: {chip.identifier}",
        "chips: 1",
        f"precision: {result['precision']}",
        f"batch: {result['batch']}",
        *length,
        "timed: step",
        f"note: {text(_how(result))}",
        f"throughput: {flow(fact)}",
    ]


def _rejected(words: list[str], result: dict[str, Any], network: Network, reason: str) -> list[str]:
    note = f"{_throughput(result)} {network.unit}s a second, {result['precision']}. {_how(result)}"
    return [f"row: {_row_name(words, result)}", f"reason: {reason}", f"note: {text(note)}"]


def _throughput(result: dict[str, Any]) -> str:
    return f"{ratio(result['batch'], median_seconds(result['step'])):.{SIGNIFICANT_DIGITS}g}"


def _how(result: dict[str, Any]) -> str:
    step = result["step"]["events"] or result["step"]["wall"]
    clock = "device events" if result["step"]["events"] else "the wall clock"
    autocast = ", autocast" if result["precision"] in ("bf16", "fp16") else ""
    quartiles = f"{step['low_quartile_seconds']:.4g} to {step['high_quartile_seconds']:.4g}"
    return (
        f"{result['layout'].replace('_', '-')}, {result['mode']}{autocast}; step by {clock} {step['median_seconds']:.4g} s, "
        f"quartiles {quartiles}, of {step['repeats']}."
    )


def _via(words: list[str]) -> str:
    return f"results.json: {'/'.join(words)}, step"


def _row_name(words: list[str], result: dict[str, Any]) -> str:
    largest = "-largest" if words[-1] == "batch-largest" else ""
    return _id("-".join([*words[1:5], f"batch-{result['batch']}{largest}"]))


def _id(name: str) -> str:
    return name.replace("_", "-")


def text(value: str) -> str:
    """A text as a double-quoted scalar of YAML, which JSON's strings are.

    >>> text('a "b": c')
    '"a \\\\"b\\\\": c"'
    """
    return json.dumps(value, ensure_ascii=False)


def flow(values: dict[str, Any]) -> str:
    """A mapping as YAML on one line, texts quoted where needed.

    >>> flow({"family": "resnet", "depth": 18, "has_x": True, "value": "3 image_per_second"})
    '{family: resnet, depth: 18, has_x: true, value: 3 image_per_second}'
    """
    return f"{{{', '.join(f'{key}: {_scalar(value)}' for key, value in values.items())}}}"


def _scalar(value: Any) -> str:
    if isinstance(value, str) and re.fullmatch(r"[\w.+]+( [\w]+)?", value):
        return value
    return text(value) if isinstance(value, str) else json.dumps(value)
