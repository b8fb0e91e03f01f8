"""The calibration page: how well stated inputs are known, and how often intervals hold."""

from pipeline.site.report import Row
from pipeline.site.report.accuracy import held

WORDS = {
    "examples_exact": "Examples, one figure",
    "examples_product": "Examples, a product",
    "examples_table": "Examples, from another's table",
    "chip_seconds_exact": "Chip time, one figure",
    "chip_seconds_product": "Chip time, chips × duration",
    "chip_seconds_table": "Chip time, from another's table",
    "utilization_scale": "Scatter of whole runs around the predicted utilization, over that of measurements",
    "production_bf16": "Utilization of whole runs over the predicted one, bf16 and fp8",
    "production_fp16": "The same, fp16",
    "production_fp32": "The same, fp32, tf32 and others",
    "counted": "Gross errors of counted operations",
    "not_counted": "Gross errors of 2 × parameters, or of stated forward operations",
    "gpu_time": "Gross errors of GPU time",
    "gross_error": "Size of a gross error",
    "reported": "Gross errors of authors' totals",
    "reported_operation_count": "Authors' totals from operations",
}
INPUTS = {  # of external estimates
    "own": "of their own",
    "same_count": "the ledger's count",
    "same_time": "the ledger's time",
    "same_both": "the ledger's count and time",
    "unknown": "not known",
}
PREDICTIONS = {
    "mixture": "the mixture",
    "by_class": "a normal for each class of inputs",
    "constant": "one normal for all",
}


def page(calibration: Row | None) -> Row:
    """What the page shows, from the summary that `make fit-uncertainty` keeps; None where this release has none."""
    if calibration is None:
        return {"values": None}
    marks = [
        {"promised": row["level"], "inside": row["held"] / row["number"], "kind": "pairs of methods"}
        for row in calibration["coverage"]
    ]
    return {
        **calibration,
        "words": WORDS,
        "inputs": INPUTS,
        "predictions": PREDICTIONS,
        "drawn": held(marks) if marks else None,
    }
