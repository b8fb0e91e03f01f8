"""The P100 study's chart (methods, sources), redrawn with measured rows of the same networks."""

import re
from collections.abc import Sequence
from statistics import median

import altair as alt

from pipeline.site.report import Row, charts
from pipeline.site.report.utilization_facts import FULL_PRECISION

STUDY = "p100-study"
METHODS = {"theory": "study: theory", "one": "study: profiler, one example", "batch": "study: profiler, batch", "epoch": "study: profiler, epoch"}  # fmt: skip
OURS = "measured, FP32"
OURS_FAST = "measured, 16-bit or TF32"


def key(name: str) -> str:
    """A network's name without hyphens and underscores, so that spellings match.

    >>> key("mobilenet_v2") == key("mobilenet-v2"), key("alexnet-owt")
    (True, 'alexnet')
    """
    return re.sub(r"^alexnet.*", "alexnet", re.sub(r"[-_]", "", name))


def stated(reported: Sequence[Row]) -> list[Row]:
    """The study's values, with network, batch and method parsed from each row's name."""
    found = []
    for row in reported:
        named = re.fullmatch(rf"(.+)-(\d+)-({'|'.join(METHODS)})", row["row"])
        if row["measurement_id"] == STUDY and named:
            network, batch, method = named.groups()
            found.append({"network": network, "key": key(network), "batch": int(batch), "method": method,
                          "family": row["network"], "found": row["stated_utilization_fraction"]})  # fmt: skip
    return found


def beside(study: Sequence[Row], rows: Sequence[Row]) -> list[Row]:
    """For each network of the study: medians of its values by theory and of the measured utilizations."""
    found = []
    for name in sorted({row["key"] for row in study}):
        own = [row for row in study if row["key"] == name]
        theory = [row["found"] for row in own if row["method"] == "theory"]
        same = [row for row in rows if key(row["architecture"]) == name]
        full = [row["measured_utilization_fraction"] for row in same if row["precision"] == FULL_PRECISION]
        fast = [row["measured_utilization_fraction"] for row in same if row["precision"] != FULL_PRECISION]
        found.append({"network": own[0]["network"], "family": own[0]["family"], "full_rows": len(full), "fast_rows": len(fast),
                      "theory": median(theory) if theory else None,
                      "full": median(full) if full else None, "fast": median(fast) if fast else None})  # fmt: skip
    return found


def against(compared: Sequence[Row], family: str) -> list[float]:
    """Ratio of measured FP32 utilization to the study's by theory, for each network of a family where both are known."""
    return [row["full"] / row["theory"] for row in compared if row["family"] == family and row["full"] and row["theory"]]  # fmt: skip


def chart(study: Sequence[Row], rows: Sequence[Row]) -> str:
    """Chart: for each network the study's four ways to count and time, and below them the measured utilizations."""
    names = {row["key"]: row["network"] for row in study}
    order = sorted(names, key=lambda name: (-max(row["found"] for row in study if row["key"] == name), name))
    marks = [
        {"network": row["network"], "kind": METHODS[row["method"]], "side": "study", "found": row["found"]} for row in study
    ] + [
        {"network": names[key(row["architecture"])], "side": "ours", "found": row["measured_utilization_fraction"],
         "kind": OURS if row["precision"] == FULL_PRECISION else OURS_FAST}
        for row in rows if key(row["architecture"]) in names
    ]  # fmt: skip
    kinds = [kind for kind in (*METHODS.values(), OURS, OURS_FAST) if any(mark["kind"] == kind for mark in marks)]
    drawn = (
        alt.Chart(charts.data(marks), width=charts.WIDTH, height=alt.Step(17))
        .mark_point(filled=False, size=45, strokeWidth=1.6, opacity=0.9)
        .encode(
            x=alt.X("found:Q", title="utilization, share of the peak (log scale)", scale=alt.Scale(type="log", domain=[0.01, 1.6], nice=False),
                    axis=alt.Axis(values=[0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 1], format="~g")),
            y=alt.Y("network:N", title=None, sort=[names[name] for name in order], axis=alt.Axis(grid=True)),
            yOffset=alt.YOffset("side:N", sort=["study", "ours"], scale=alt.Scale(domain=["study", "ours"])),
            **charts.legend(kinds),
        )
    )  # fmt: skip
    return charts.drawn(
        drawn,
        f"Utilization of {len(names)} networks stated by the P100 study in {len({row['method'] for row in study})} ways of"
        f" counting and timing, and from {sum(mark['side'] == 'ours' for mark in marks)} public throughputs of the same networks.",
    )
