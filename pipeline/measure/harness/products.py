"""FLOP is not run time: ways to do the same operations, by the order of memory, the library and the size of the batch.

A matrix times a vector has N² products and N(N − 1) sums; so has an outer product of two vectors followed by the sum of
each column, or of each row. The matrix is read once in the first; in the others it is written and read again. A matrix
times many vectors is the same whether they are taken together or one by one.
"""

from collections.abc import Callable
from typing import Any

from pipeline.measure.harness.clock import timed
from pipeline.measure.harness.plan import Options, Task
from pipeline.measure.harness.step import arithmetic
from pipeline.measure.harness.timings import median_seconds

BYTES = 4  # of a float32
VECTORS = 64
Ways = dict[str, Callable[[], Any]]


def flop(way: str, size: int) -> int:
    """Operations of a way for N = size.

    >>> flop("matrix_vector", 1000), flop("numpy_vectors_together", 1000) // flop("outer_row_sum", 1000)
    (1999000, 64)
    """
    return (2 * size**2 - size) * (VECTORS if "vectors" in way else 1)


def moved_bytes(way: str, size: int) -> int:
    """Bytes that move between memory and chip where no intermediate result stays on the chip.

    >>> moved_bytes("matrix_vector", 10), moved_bytes("outer_column_sum", 10)
    (480, 920)
    """
    # Read the matrix and each vector, write the results; or read two vectors, write and read the matrix, write the result.
    if "outer" in way:
        return BYTES * (2 * size**2 + 3 * size)
    vectors = VECTORS if "vectors" in way else 1
    return BYTES * (size**2 * (vectors if "one_by_one" in way else 1) + 2 * size * vectors)


def products(task: Task, options: Options) -> dict[str, Any]:
    """Seconds, FLOP/s and bytes/s of each way for one N in torch, and in NumPy on a CPU.

    The ways take turns, so that a busy machine slows all of them.
    """
    import torch

    size = int(task.size or 0)
    runs = _of_torch(size, options.device)
    if options.device == "cpu":
        runs |= {f"numpy_{way}": run for way, run in _of_numpy(size).items()}
    with torch.inference_mode(), arithmetic("fp32"):
        timings = timed(runs, options.device, **options.bounds, minimum=5)
    ways: dict[str, Any] = {}
    for way, timing in timings.items():
        seconds = float(median_seconds(timing) or 1)
        ways[way] = {
            "timing": timing,
            "flop": flop(way, size),
            "flop_per_second": flop(way, size) / seconds,
            "bytes_per_second": moved_bytes(way, size) / seconds,
        }
    return {"size": size, "ways": ways}


def _of_torch(size: int, device: str) -> Ways:
    import torch

    matrix, vector = torch.randn(size, size, device=device), torch.randn(size, device=device)
    vectors = torch.randn(size, VECTORS, device=device)
    return {
        "matrix_vector": lambda: matrix @ vector,
        "outer_column_sum": lambda: torch.outer(vector, vector).sum(0),
        "outer_row_sum": lambda: torch.outer(vector, vector).sum(1),
        "vectors_together": lambda: matrix @ vectors,
        "vectors_one_by_one": lambda: torch.stack([matrix @ one for one in vectors.T], dim=1),
    }


def _of_numpy(size: int) -> Ways:
    import numpy

    random = numpy.random.default_rng(0)
    shapes = (size, size), (size,), (size, VECTORS)
    matrix, vector, vectors = (random.standard_normal(shape, dtype="float32") for shape in shapes)
    return {
        "matrix_vector": lambda: matrix @ vector,
        "outer_column_sum": lambda: numpy.outer(vector, vector).sum(axis=0),
        "outer_row_sum": lambda: numpy.outer(vector, vector).sum(axis=1),
        "vectors_together": lambda: matrix @ vectors,
        "vectors_one_by_one": lambda: numpy.stack([matrix @ one for one in vectors.T], axis=1),
    }
