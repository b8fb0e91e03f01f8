"""Pairs and totals drawn from known values."""

import numpy as np
import pandas as pd

from pipeline.fitting.pairs import CLASSES, FORMATS, Pairs, Parts, Totals

KNOWN = {
    "examples_exact": 0.05, "examples_product": 0.2, "examples_table": 0.5,
    "chip_seconds_exact": 0.08, "chip_seconds_product": 0.15, "chip_seconds_table": 0.4,
    "utilization_scale": 0.7, "production_bf16": 0.8, "production_fp16": 0.6, "production_fp32": 0.5,
    "counted": 0.06, "not_counted": 0.2, "gpu_time": 0.1, "gross_error": 1.3,
    "reported": 0.1, "reported_operation_count": 0.08,
}  # fmt: skip


def drawn_pairs(number, seed=1, classes=(0, 1, 2)):
    """Pairs of one phase and one allocation each, every one a group of its own."""
    draw = np.random.default_rng(seed)
    examples, hours = draw.choice(classes, (2, number))
    formats = draw.integers(0, 3, number)
    is_counted = draw.random(number) < 0.6
    of_utilization, beside = draw.uniform(0.1, 0.5, number), np.full(number, 0.003)
    log_sd = {
        name: np.array([KNOWN[f"{name}_{word}"] for word in CLASSES])[place]
        for name, place in (("examples", examples), ("chip_seconds", hours))
    }
    truth = draw.uniform(40, 55, number)
    of_count = (log_sd["examples"] ** 2 + beside) ** 0.5
    of_time = (log_sd["chip_seconds"] ** 2 + beside + (KNOWN["utilization_scale"] * of_utilization) ** 2) ** 0.5
    rate = np.where(is_counted, KNOWN["counted"], KNOWN["not_counted"])
    production = np.array([KNOWN[f"production_{word}"] for word in FORMATS])[formats]
    place = np.arange(number)
    names = np.array([f"model-{n}" for n in place], object)
    return Pairs(
        names,
        names,
        is_counted,
        Parts(place, np.exp(truth + _error(draw, of_count, rate)), examples, np.full(number, -1), beside, 0.0 * place),
        Parts(
            place,
            np.exp(truth + _error(draw, of_time, KNOWN["gpu_time"])) / production,
            hours,
            formats,
            beside,
            of_utilization,
        ),
        0.0 * place,
        0.0 * place,
        pd.DataFrame({name: ["product"] * number for name in ("examples", "chip time")}),
    )


def drawn_totals(number, seed=2, is_of_operations=True):
    """Totals, every one a group of its own."""
    draw = np.random.default_rng(seed)
    is_counted = draw.random(number) < 0.6
    variance = np.full(number, 0.001)
    rate = np.where(is_counted, KNOWN["counted"], KNOWN["not_counted"])
    ours = _error(draw, variance**0.5, rate)
    theirs = _error(draw, np.full(number, KNOWN["reported_operation_count"]), KNOWN["reported"])
    names = np.array([f"total-{n}" for n in range(number)], object)
    of_operations = np.full(number, is_of_operations)
    return Totals(names, names, of_operations, is_counted, np.ones(number), theirs - ours, variance)


def _error(draw, log_sd, rate):
    is_gross = draw.random(len(log_sd)) < rate
    return draw.normal(0, (log_sd**2 + is_gross * KNOWN["gross_error"] ** 2) ** 0.5)
