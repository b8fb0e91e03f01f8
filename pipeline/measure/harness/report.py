"""Tables of the results: utilization in the P100 study's four ways, backward:forward, batch sizes, counters compared.

Arithmetic on the results as they are kept, without torch. Unknown is None, never 0.
"""

import csv
from collections.abc import Iterator
from io import StringIO
from statistics import median
from typing import Any

from pipeline.formulas.utilization import utilization_fraction
from pipeline.measure.harness.timings import median_seconds, ratio, summary

Row = dict[str, Any]
Results = dict[str, dict[str, Any]]
FLAT_RATIO = 2  # backward to forward FLOP in the P100 study: 3 x forward in all
COUNTERS = ("flop_counter_mode", "torch_profiler")
TOLERANCE = 1.02  # a counter further than this factor from ours over- or under-counts


def of_part(results: Results, part: str) -> Iterator[tuple[list[str], dict[str, Any]]]:
    """The results of a part, each with the words of its name."""
    return ((name.split("/"), result) for name, result in results.items() if name.split("/")[0] == part)


def counted(results: Results, network: str) -> dict[str, Any] | None:
    """Our counter's result for one example of a network; None where it was not counted."""
    count: dict[str, Any] | None = results.get(f"flop/{network}", {}).get("ours")
    return count


def ceilings(results: Results) -> dict[str, float]:
    """This machine's ceilings: FLOP/s by precision, and bytes/s of a copy under `copy`."""
    return {
        words[-1]: result["bytes_per_second"] if words[-1] == "copy" else result["flop_per_second"]
        for words, result in of_part(results, "ceilings")
    }


def utilizations(results: Results, peaks: dict[str, float]) -> list[Row]:
    """Model FLOP/s of each timing in the four ways, and as a share of the datasheet peak and of the machine's ceiling.

    theory: 3 x forward of an epoch's examples by the epoch's time. one: a step of one example. batch: the median step.
    epoch: an epoch with its copies from the host. The last three count forward and backward layer by layer. `peaks` are
    FLOP/s by precision; an unknown chip has none, and its rows no utilization of a peak.
    """
    reached = ceilings(results)
    singles = {
        (words[1], *words[2:5]): median_seconds(result["step"])
        for words, result in of_part(results, "time")
        if result["batch"] == 1
    }
    rows = []
    for words, result in of_part(results, "time"):
        flop = counted(results, words[1])
        if flop is None:
            continue
        exact, epoch = flop["forward"] + flop["backward"], result.get("epoch") or {}
        flat = flop["forward"] * (1 + FLAT_RATIO)
        examples, epoch_seconds = epoch.get("examples"), epoch.get("seconds")
        done = {
            "theory": ratio(flat * examples if examples else None, epoch_seconds),
            "one": ratio(exact, singles.get((words[1], *words[2:5]))),
            "batch": ratio(exact * result["batch"], median_seconds(result["step"])),
            "epoch": ratio(exact * examples if examples else None, epoch_seconds),
        }
        precision = words[2]
        for way, flop_per_second in done.items():
            rows.append(
                {
                    **_case(words, result),
                    "way": way,
                    "flop_per_second": flop_per_second,
                    "utilization_of_peak": _share(flop_per_second, peaks.get(precision)),
                    "utilization_of_ceiling": _share(flop_per_second, reached.get(precision)),
                }
            )
    return rows


def _share(flop_per_second: float | None, peak: float | None) -> float | None:
    if flop_per_second is None or not peak:
        return None
    share: float = utilization_fraction(flop_per_second, 1, peak)
    return share


def _case(words: list[str], result: dict[str, Any]) -> Row:
    _, network, precision, layout, mode, *_ = words
    return {"network": network, "precision": precision, "layout": layout, "mode": mode, "batch": result["batch"]}


def backward_ratios(results: Results) -> list[Row]:
    """Backward:forward of each timing in FLOP and in time; `level` is one (a batch of one example), batch or epoch.

    The forward pass includes the loss; the optimizer's step is in neither.
    """
    rows = []
    for words, result in of_part(results, "time"):
        flop = counted(results, words[1]) or {}
        passes, epoch = result["passes"], (result.get("epoch") or {}).get("passes_seconds", {})
        common = {**_case(words, result), "flop_ratio": ratio(flop.get("backward"), flop.get("forward"))}
        timed = ratio(median_seconds(passes["backward"]), median_seconds(passes["forward"]))
        rows.append({**common, "level": "one" if result["batch"] == 1 else "batch", "time_ratio": timed})
        if epoch:
            rows.append({**common, "level": "epoch", "time_ratio": ratio(epoch["backward"], epoch["forward"])})
    return rows


def ratios_by_kind(results: Results) -> list[Row]:
    """Backward:forward by layer kind, for each network and for all of them, in FLOP and in time.

    Layers are timed alone; a kind's time is the sum over its layers, each as often as the network has it.
    """
    sums: dict[tuple[str, str, int], dict[str, float]] = {}
    for words, result in of_part(results, "layers"):
        for layer in result["layers"]:
            seconds = {name: median_seconds(layer.get(name)) for name in ("forward", "backward")}
            if None in seconds.values():
                continue
            more = {
                "forward_flop": layer["forward_flop"],
                "backward_flop": layer["backward_flop"],
                "forward_seconds": seconds["forward"],
                "backward_seconds": seconds["backward"],
            }
            for network in (words[1], "all"):
                totals = sums.setdefault((network, layer["kind"], result["batch"]), dict.fromkeys(more, 0.0))
                for name, value in more.items():
                    totals[name] += layer["times"] * (value or 0.0)
    return [
        {
            "network": network,
            "kind": kind,
            "batch": batch,
            **totals,
            "flop_ratio": ratio(totals["backward_flop"], totals["forward_flop"]),
            "time_ratio": ratio(totals["backward_seconds"], totals["forward_seconds"]),
        }
        for (network, kind, batch), totals in sums.items()
    ]


def batch_sizes(results: Results) -> list[Row]:
    """Seconds an example at each batch, and how many times faster than at a batch of one."""
    by_case: dict[tuple[str, ...], dict[int, float]] = {}
    for words, result in of_part(results, "time"):
        seconds = median_seconds(result["step"])
        if seconds is not None:
            by_case.setdefault(tuple(words[1:5]), {})[result["batch"]] = seconds / result["batch"]
    return [
        {
            **dict(zip(("network", "precision", "layout", "mode"), case, strict=True)),
            "batch": batch,
            "seconds_per_example": seconds,
            "speed_up_over_one": ratio(by_batch.get(1), seconds),
        }
        for case, by_batch in by_case.items()
        for batch, seconds in sorted(by_batch.items())
    ]


def counting(results: Results) -> list[Row]:
    """Each counter's FLOP over ours, attention without its mask as counters have it: above 1 it over-counts, below it under-counts."""
    rows = []
    for words, result in of_part(results, "flop"):
        for counter, state, which, counts in _counts(result):
            factor = ratio(counts, result["ours"][f"{which}_full"])
            rows.append({"network": words[1], "counter": counter, "state": state, "pass": which, "factor": factor, "verdict": verdict(factor)})  # fmt: skip
    for words, result in of_part(results, "hardware"):
        flop = counted(results, words[1])
        for which in ("forward", "backward"):
            for state in ("raw", "cleaned"):
                factor = ratio(result[which][state], flop[f"{which}_full"] * result["batch"] if flop else None)
                counter = f"ncu {words[2]}"
                rows.append({"network": words[1], "counter": counter, "state": state, "pass": which, "factor": factor, "verdict": verdict(factor)})  # fmt: skip
    return rows


def _counts(result: dict[str, Any]) -> Iterator[tuple[str, str, str, float]]:
    for counter in COUNTERS:
        for state in ("raw", "cleaned"):
            for which in ("forward", "backward"):
                if state in result.get(counter, {}):
                    yield counter, state, which, result[counter][state][which]


def verdict(factor: float | None) -> str:
    """right, over, under or unknown, within `TOLERANCE`.

    >>> [verdict(each) for each in (1.0, 9.9, 0.5, None)]
    ['right', 'over', 'under', 'unknown']
    """
    if factor is None:
        return "unknown"
    return "over" if factor > TOLERANCE else "under" if factor < 1 / TOLERANCE else "right"


def clocks(results: Results) -> list[Row]:
    """The step's time by other clocks, and with a profiler attached, over that by the first clock."""
    rows = []
    for words, result in of_part(results, "time"):
        base = median_seconds(result["step"])
        wall = median_seconds({"wall": result["step"]["wall"]})
        rows.append(
            {
                **_case(words, result),
                "step_seconds": base,
                "wall_over_events": ratio(wall, base) if result["step"]["events"] else None,
                "second_clock_over_first": ratio(median_seconds(result.get("second_clock")), wall),
                "profiler_over_plain": ratio(median_seconds(result.get("with_profiler")), base),
            }
        )
    return rows


def product_rows(results: Results) -> list[Row]:
    """Seconds of each way to do equal FLOP at each N, and their ratio to the first way's of the same turn: median, quartiles."""
    rows = []
    for words, result in of_part(results, "products"):
        ways = result["ways"]
        for way, timed in ways.items():
            timing = timed["timing"]["events"] or timed["timing"]["wall"]
            first = ways["vectors_together" if "vectors" in way else "matrix_vector"]["timing"]
            turns = zip(timing["all_seconds"], (first["events"] or first["wall"])["all_seconds"], strict=False)
            ratios = summary([seconds / of_first for seconds, of_first in turns]) or {}
            rows.append(
                {
                    "library": "numpy" if way.startswith("numpy_") else words[1],
                    "size": result["size"],
                    "way": way.removeprefix("numpy_"),
                    "flop": timed["flop"],
                    "seconds": timing["median_seconds"],
                    "bytes_per_second": timed["bytes_per_second"],
                    "time_ratio": ratios["median_seconds"],
                    "time_ratio_low_quartile": ratios["low_quartile_seconds"],
                    "time_ratio_high_quartile": ratios["high_quartile_seconds"],
                    "repeats": ratios["repeats"],
                }
            )
    return rows


def equal_flop(results: Results, environment: dict[str, Any]) -> str:
    """The products as CSV with the machine and the versions; empty where none were timed."""
    columns = ("device_name", "threads", "torch", "numpy", "python", "date")
    rows = [{**row, **{name: environment.get(name) for name in columns}} for row in product_rows(results)]
    text = StringIO()
    writer = csv.DictWriter(text, list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(
        {key: f"{value:.4g}" if isinstance(value, float) else value for key, value in row.items()} for row in rows
    )
    return text.getvalue() if rows else ""


TABLES = {
    "utilization": utilizations,
    "backward_ratios": backward_ratios,
    "ratios_by_kind": ratios_by_kind,
    "batch_sizes": batch_sizes,
    "counting": counting,
    "clocks": clocks,
    "products": product_rows,
}


def tables(results: Results, peaks: dict[str, float]) -> dict[str, list[Row]]:
    """Every table of the report, by name."""
    return {name: make(results, peaks) if name == "utilization" else make(results) for name, make in TABLES.items()}  # type: ignore[operator]


def headline(results: Results, peaks: dict[str, float]) -> list[str]:
    """The report in a few lines: median utilization by way, median backward:forward, counters that are wrong somewhere."""
    by_name = tables(results, peaks)
    lines = []
    for way in ("theory", "one", "batch", "epoch"):
        for of in ("peak", "ceiling"):
            shares = [row[f"utilization_of_{of}"] for row in by_name["utilization"] if row["way"] == way]
            known = [share for share in shares if share is not None]
            if known:
                lines.append(f"utilization of the {of}, {way}: median {median(known):.3f} of {len(known)} timings")
    times = [row["time_ratio"] for row in by_name["backward_ratios"] if row["time_ratio"] is not None]
    if times:
        lines.append(f"backward:forward in time: median {median(times):.2f} of {len(times)}")
    wrong = {f"{row['counter']} ({row['state']})" for row in by_name["counting"] if row["verdict"] in ("over", "under")}
    lines += [f"counts wrongly somewhere: {', '.join(sorted(wrong))}"] if wrong else []
    return lines
