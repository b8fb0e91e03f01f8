"""Tables of a run: utilization calculated in four ways, other counters relative to ours, and products with equal FLOP."""

import pandas as pd

from pipeline.tools.measure.timing import VECTORS

CASE = ["network", "precision", "layout", "mode"]
WRITTEN = [
    *CASE, "batch", "step_seconds", "step_iqr_seconds", "forward_seconds", "backward_seconds", "epoch_examples", "epoch_seconds",
    "peak_memory_bytes", "utilization_theory", "utilization_one", "utilization_batch", "utilization_epoch",
    "ceiling_fraction_batch", "backward_to_forward_flop", "backward_to_forward_seconds",
]  # fmt: skip
COUNTED = ["network", "counter", "precision", "batch", "pass", "kernels", "flop", "tensor_core_fraction", "factor"]


def timings(results: pd.DataFrame, peaks: dict[str, float]) -> pd.DataFrame:
    """Return one row per timing, with its share of the datasheet's peak and of this machine's ceiling.

    Each share is calculated in four ways. theory: 3 x forward FLOP / an epoch's time; one: a step with a single example;
    batch: the median step; epoch: an epoch, with its copies from the host. The last three use forward and backward FLOP,
    counted layer by layer.
    """
    timed = results[results.part == "time"].dropna(subset="step_seconds").astype({"batch": int})
    counted = results[(results.part == "count") & (results.counter == "ours")].pivot(
        index="network", columns="pass", values="flop"
    )
    forward, backward = timed.network.map(counted.forward), timed.network.map(counted.backward)
    flop = forward + backward
    single = timed[timed.batch == 1].set_index(CASE).step_seconds
    timed["flop_per_second_theory"] = 3 * forward * timed.epoch_examples / timed.epoch_seconds
    timed["flop_per_second_one"] = flop / pd.MultiIndex.from_frame(timed[CASE]).map(single)
    timed["flop_per_second_batch"] = flop * timed.batch / timed.step_seconds
    timed["flop_per_second_epoch"] = flop * timed.epoch_examples / timed.epoch_seconds
    reached = results[results.part == "ceiling"].groupby("precision").flop_per_second.max()
    for way in ("theory", "one", "batch", "epoch"):
        rate = timed[f"flop_per_second_{way}"]
        timed[f"utilization_{way}"] = rate / timed.precision.map(peaks).astype(float)
        timed[f"ceiling_fraction_{way}"] = rate / timed.precision.map(reached)
    timed["backward_to_forward_flop"] = backward / forward
    timed["backward_to_forward_seconds"] = timed.backward_seconds / timed.forward_seconds
    timed["speed_up_over_one"] = pd.MultiIndex.from_frame(timed[CASE]).map(single) / (timed.step_seconds / timed.batch)
    return timed.dropna(axis="columns", how="all").drop(columns="part")


def counters(results: pd.DataFrame) -> pd.DataFrame:
    """Return each counter's FLOP per example, with its ratio to ours without the attention mask (`factor`)."""
    counted = results[results.part == "count"]
    ours = counted[counted.counter == "full"].drop_duplicates(["network", "pass"]).set_index(["network", "pass"]).flop
    others = counted[~counted.counter.isin(["ours", "full"])].dropna(subset="flop").copy()
    others["factor"] = others.flop / pd.MultiIndex.from_frame(others[["network", "pass"]]).map(ours)
    return others.reindex(columns=COUNTED)


def equal_flop(results: pd.DataFrame) -> pd.DataFrame:
    """Return one row per way of performing the same FLOP: bytes per second, and time relative to the first way in torch.

    We count the bytes that would move if no intermediate result stayed on the chip: a matrix is read once, or once per
    vector, and an outer product is written and read again.
    """
    rows = results[results.part == "product"].dropna(subset="step_seconds").dropna(axis="columns", how="all").copy()
    if rows.empty:
        return rows
    has_vectors, is_outer = rows.way.str.contains("vectors"), rows.way.str.contains("outer")
    vectors = has_vectors.map({True: VECTORS, False: 1})
    reads = vectors.where(rows.way == "vectors_one_by_one", 1) + is_outer
    rows["bytes_per_second"] = (
        4 * (reads * rows["size"] ** 2 + (2 * vectors + is_outer) * rows["size"]) / rows.step_seconds
    )
    rows["first_way"] = has_vectors.map({True: "vectors_together", False: "matrix_vector"})
    torch = rows[rows.library == "torch"].set_index(["size", "way"]).step_seconds
    rows["time_ratio"] = rows.step_seconds / pd.MultiIndex.from_frame(rows[["size", "first_way"]]).map(torch).to_numpy()
    return rows.drop(columns=["part", "first_way"])
