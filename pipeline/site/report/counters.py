"""The counters page: public FLOP counters compared with a count by hand."""

from collections import Counter
from collections.abc import Callable, Sequence

from pipeline.site.report import Row

RIGHT, PLUS_ELEMENTWISE, FACTOR, ZERO, REFUSED = "right", "plus_elementwise", "factor", "silently_zero", "refused"
NOT_INSTALLABLE, OUT_OF_SCOPE = "not_installable", "out_of_scope"
VERDICTS = {
    RIGHT: "exactly the count by hand",
    PLUS_ELEMENTWISE: "the count by hand, and elementwise operations (biases, activations, norms, pooling), which the ledger keeps apart",
    FACTOR: "wrong by this factor",
    ZERO: "counts none of the products, without a warning",
    REFUSED: "ends in an error",
    NOT_INSTALLABLE: "can no longer be installed",
    OUT_OF_SCOPE: "not audited, with the reason",
}
FORMULAS = "'FLOPs', 'of specific operators (matrix multiplication and 2D convolution)'"
# Each counter's package, and what it counts according to its documentation.
COUNTERS = {
    "FlopCounterMode on CPU": ("torch", "FLOP"),
    "FlopCounterMode on meta": ("torch", "FLOP"),
    "torch.profiler": ("torch", FORMULAS),
    "autograd.profiler": ("torch", FORMULAS),
    "fvcore": ("fvcore", "'flops': 'one fused multiply-add as one flop'"),
    "ptflops (pytorch)": ("ptflops", "'MACs', a mean over the batch"),
    "ptflops (aten)": ("ptflops", "'MACs'"),
    "pthflops (fx)": ("pthflops", "'FLOPs'"),
    "pthflops (jit)": ("pthflops", "'FLOPs'"),
    "calflops": ("calflops", "'FLOPs' and 'MACs'; backward as twice forward"),
    "torchinfo": ("torchinfo", "'mult-adds'"),
    "thop": ("thop", "'MACs'"),
    "DeepSpeed": ("deepspeed", "'flops' and 'MACs'"),
    "dlprof": ("nvidia-dlprof", "FLOP of a profile"),
    "pyprof": ("nvidia-pyprof", "FLOP of a profile"),
    "TensorFlow profiler": ("tensorflow", "FLOP of a graph"),
}
PASSES = {"forward": "forward", "backward": "backward", "first_backward": "backward, first layer"}
SEVERAL_TIMES = 1.4  # a factor this high means that an operation was counted more than once
PLAIN, POSITIONS, BATCHES = "linear: plain", "linear: 16 positions", ("linear: batch 64", "linear: batch 128")


def page(counters: Sequence[Row]) -> Row:
    """Return the page's values from the rows of counters.csv, whose cells are text."""
    compared = [row for row in counters if row["batch"] and row["counter"] in COUNTERS]
    by_counter = {name: [row for row in compared if row["counter"] == name] for name in COUNTERS}
    audited = [name for name, rows in by_counter.items() if rows]
    return {
        "cases": len({row["case"] for row in compared}),
        "verdicts": VERDICTS,
        "summaries": [
            summary(name, words, rows)
            for name in audited
            for which, words in PASSES.items()
            if (rows := [row for row in by_counter[name] if row["pass"] == which])
        ],
        "mistakes": repeated_mistakes({name: by_counter[name] for name in audited}),
        "not_audited": [
            (row["counter"], row["verdict"].replace("_", " "), row["note"])
            for name in COUNTERS
            for row in counters
            if row["counter"] == name not in audited
        ],
        "forward_only": [name for name in audited if {row["pass"] for row in by_counter[name]} == {"forward"}],
    }


def judged(row: Row) -> str:
    """Return the verdict on a count: right, own, factor, zero or refused.

    `own` means that a count is wrong in FLOP but right in the counter's own unit, multiply-adds.
    """
    verdict, in_own_unit = row["verdict"], row["verdict_in_own_unit"]
    if verdict in (RIGHT, PLUS_ELEMENTWISE):
        return "right"
    if verdict in (ZERO, REFUSED):
        return "zero" if verdict == ZERO else "refused"
    return "own" if in_own_unit in (RIGHT, PLUS_ELEMENTWISE) else "factor"


def short(factor: float) -> str:
    """Return a factor with enough digits to distinguish it from 1.

    >>> short(0.5), short(1.02), short(12.3)
    ('0.5', '1.0200', '12')
    """
    if 0.95 < factor < 1.05:
        return f"{factor:.4f}"
    return f"{factor:.2g}" if factor < 10 else f"{factor:.0f}"


def summary(name: str, words: str, rows: Sequence[Row]) -> Row:
    """Return how many of a counter's rows for one pass have each verdict, and the lowest and highest factor among wrong rows."""
    kinds = Counter(judged(row) for row in rows)
    exact = sum(row["verdict"] == RIGHT for row in rows)
    factors = [float(row["factor"]) for row in rows if judged(row) == "factor"]
    factor_range = f"{short(min(factors))} to {short(max(factors))}" if factors else ""
    package, documented = COUNTERS[name]
    right = (exact, kinds["right"] - exact, kinds["own"])
    return {
        "name": name,
        "package": f"{package} {rows[0]['version']}",
        "documented": documented,
        "pass": words,
        "numbers": (len(rows), *right, kinds["factor"], kinds["zero"], kinds["refused"], factor_range),
    }


def repeated_mistakes(by_counter: dict[str, list[Row]]) -> dict[str, list[str]]:
    """Return the mistakes that the P100 study suspected, each with the counters that make this mistake."""
    forward = {
        name: {row["case"]: row for row in rows if row["pass"] == "forward"} for name, rows in by_counter.items()
    }
    answering = {name: rows for name, rows in by_counter.items() if forward[name][PLAIN]["counted"]}

    def some(is_mistaken: Callable[[Row], bool]) -> list[str]:
        return [name for name, rows in answering.items() if any(map(is_mistaken, rows))]

    def same_counts(*cases: str) -> list[str]:
        return [name for name in answering if len({forward[name][case]["counted"] for case in cases}) == 1]

    return {
        "A multiply-add counted as 1 (a linear layer)": [
            name for name in answering if float(forward[name][PLAIN]["factor"]) == 0.5
        ],
        "An operation missed (some layer's products are 0, silently)": some(lambda row: row["verdict"] == ZERO),
        "Attention scores missed": some(lambda row: "scores missed" in row["note"]),
        f"An operation counted several times (a factor of {SEVERAL_TIMES} or more)": some(
            lambda row: judged(row) == "factor" and float(row["factor"]) >= SEVERAL_TIMES
        ),
        "A count that does not grow with the batch (1, 64 and 128 give the same)": same_counts(PLAIN, *BATCHES),
        "A count that does not grow with the sequence (1 and 16 positions give the same)": same_counts(
            PLAIN, POSITIONS
        ),
    }
