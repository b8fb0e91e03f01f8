"""Time training steps, epochs, large products and equal-FLOP products with torch.utils.benchmark, which synchronizes the device."""

from collections.abc import Iterator
from importlib import import_module
from time import perf_counter
from typing import Any

from pipeline.tools.measure import torch_on_use as torch
from pipeline.tools.measure.networks import Network
from pipeline.tools.measure.step import half_format, prepare, set_arithmetic

PASSES = {"forward": "step.forward()", "backward": "step.backward()", "update": "step.update()"}
VECTORS = 64
Row = dict[str, Any]


def timed(statement: str, seconds: float, **names: Any) -> Any:
    """Return torch's Measurement of a statement that is repeated for `seconds` after a warm-up."""
    from torch.utils.benchmark import Timer

    # By default, Timer uses only one thread.
    return Timer(statement, globals=names, num_threads=torch.get_num_threads()).blocked_autorange(min_run_time=seconds)


def training(subject: Network, batch: int, precision: str, layout: str, mode: str, device: str, seconds: float) -> Row:
    """Time a step, its three passes (each as the time that it adds), and an epoch with its copies from the host."""
    has_gpu = device != "cpu"
    torch.cuda.reset_peak_memory_stats(device) if has_gpu else None
    step = prepare(subject, batch, precision, layout, mode, device)
    medians, statement, measured = [0.0], "", None
    for call in PASSES.values():
        statement = f"{statement}{call};"
        measured = timed(statement, seconds, step=step)
        medians.append(measured.median)
    passes = {
        f"{name}_seconds": after - before for name, before, after in zip(PASSES, medians, medians[1:], strict=False)
    }
    steps = max(2, int(seconds / measured.median))
    torch.cuda.synchronize(device) if has_gpu else None
    start = perf_counter()
    for _ in range(steps):
        step.fetch()
        step.forward()
        step.backward()
        step.update()
    torch.cuda.synchronize(device) if has_gpu else None
    epoch = perf_counter() - start
    return {
        "step_seconds": measured.median, "step_iqr_seconds": measured.iqr, "step_repeats": len(measured.times), **passes,
        "epoch_examples": steps * batch, "epoch_seconds": epoch,
        "peak_memory_bytes": torch.cuda.max_memory_allocated(device) if has_gpu else None,
    }  # fmt: skip


def ceiling(precision: str, size: int, device: str, seconds: float) -> Row:
    """Time a square matrix product in this precision, to find the highest speed that this machine reaches."""
    matrix = square_matrix(precision, size, device)
    with torch.inference_mode():
        median = timed("matrix @ matrix", seconds, matrix=matrix).median
    return {"step_seconds": median, "flop_per_second": 2 * size**3 / median}


def square_matrix(precision: str, size: int, device: str) -> Any:
    """Return a random square matrix in this precision, and set the device's arithmetic to it."""
    set_arithmetic(precision, device)
    matrix = torch.randn(size, size, device=device)
    return matrix.to(half_format(precision) or torch.float32)


def products(library: str, size: int, device: str, seconds: float) -> Iterator[Row]:
    """Time several ways of performing the same FLOP, to show that FLOP does not determine run time.

    A matrix times a vector takes N² products and N(N - 1) sums. An outer product followed by the sum of each column or row
    takes as many, but writes and reads the matrix again. A matrix is multiplied by 64 vectors in one product, or one by one.
    """
    import numpy

    module = import_module("torch" if library.startswith("torch") else library)
    on_device = {"device": "cpu" if library == "torch_cpu" else device} if library.startswith("torch") else {}
    random = numpy.random.default_rng(0)
    matrix, vectors = (
        module.asarray(random.standard_normal((size, width), dtype="float32"), **on_device) for width in (size, VECTORS)
    )
    names = {"matrix": matrix, "vectors": vectors, "vector": vectors[:, 0], "library": module}
    flop_per_vector = 2 * size**2 - size
    for way, statement, flop in (
        ("matrix_vector", "matrix @ vector", flop_per_vector),
        ("outer_column_sum", "library.outer(vector, vector).sum(0)", flop_per_vector),
        ("outer_row_sum", "library.outer(vector, vector).sum(1)", flop_per_vector),
        ("vectors_together", "matrix @ vectors", flop_per_vector * VECTORS),
        ("vectors_one_by_one", "library.stack([matrix @ vector for vector in vectors.T])", flop_per_vector * VECTORS),
    ):
        measured = timed(statement, seconds, **names)
        yield {"library": library, "size": size, "way": way, "flop": flop, "step_seconds": measured.median,
               "step_iqr_seconds": measured.iqr, "flop_per_second": flop / measured.median}  # fmt: skip
