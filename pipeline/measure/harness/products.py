"""FLOP is not run time: ways to do the same operations, by the order of memory, the library and the size of the batch.

A matrix times a vector has N² products and N(N − 1) sums; so has an outer product of two vectors followed by the sum of
each column, or of each row. The matrix is read once in the first; in the others it is written and read again. A matrix
times many vectors is the same whether they are taken together or one by one.
"""

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

from pipeline.measure.harness.clock import timed
from pipeline.measure.harness.plan import Options, Task
from pipeline.measure.harness.step import arithmetic
from pipeline.measure.harness.timings import median_seconds, summary

BYTES = 4  # of a float32
VECTORS = 64
LIBRARIES = ("torch", "torch_cpu", "cupy")
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
    """Seconds, FLOP/s and bytes/s of each way for one N in one library, and of NumPy on a CPU.

    The ways take turns, so that a busy machine slows all of them. Raises ModuleNotFoundError where CuPy is needed and not installed.
    """
    size, device = int(task.size or 0), _device(task, options)
    made = _of_cupy(size) if task.library == "cupy" else _of_torch(size, device)
    if task.library != "cupy" and device == "cpu":
        made |= {f"numpy_{way}": run for way, run in _of_numpy(size).items()}
    with _without_gradients(), arithmetic("fp32"):
        timings = _timed_cupy(made, options) if task.library == "cupy" else _timed(made, device, options)
    ways: dict[str, Any] = {}
    for way, timing in timings.items():
        seconds = float(median_seconds(timing) or 1)
        ways[way] = {
            "timing": timing,
            "flop": flop(way, size),
            "flop_per_second": flop(way, size) / seconds,
            "bytes_per_second": moved_bytes(way, size) / seconds,
        }
    return {"size": size, "library": task.library, "ways": ways}


def libraries(device: str) -> list[str]:
    """The libraries that are compared: torch on a CPU, beside NumPy; on a GPU torch there, torch on the CPU, and CuPy."""
    return ["torch"] if device == "cpu" else list(LIBRARIES)


def _device(task: Task, options: Options) -> str:
    return "cpu" if task.library == "torch_cpu" else options.device


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

    return _of_arrays(
        numpy, *(numpy.random.default_rng(0).standard_normal(shape, dtype="float32") for shape in _shapes(size))
    )


def _of_cupy(size: int) -> Ways:
    import cupy

    return _of_arrays(cupy, *(cupy.random.standard_normal(shape, dtype="float32") for shape in _shapes(size)))


def _shapes(size: int) -> tuple[tuple[int, ...], ...]:
    return (size, size), (size,), (size, VECTORS)


def _of_arrays(library: Any, matrix: Any, vector: Any, vectors: Any) -> Ways:
    return {
        "matrix_vector": lambda: matrix @ vector,
        "outer_column_sum": lambda: library.outer(vector, vector).sum(axis=0),
        "outer_row_sum": lambda: library.outer(vector, vector).sum(axis=1),
        "vectors_together": lambda: matrix @ vectors,
        "vectors_one_by_one": lambda: library.stack([matrix @ one for one in vectors.T], axis=1),
    }


def _without_gradients() -> Any:
    try:
        import torch
    except ModuleNotFoundError:
        return nullcontext()
    return torch.inference_mode()


def _timed(made: Ways, device: str, options: Options) -> dict[str, dict[str, Any]]:
    return timed(
        made, device, warm_ups=options.warm_ups, repeats=options.repeats, seconds=options.loop_seconds, minimum=5
    )


def _timed_cupy(made: Ways, options: Options) -> dict[str, dict[str, Any]]:
    from cupyx.profiler import benchmark

    # CuPy gives the host's time of starting the work and the device's time of doing it.
    found = {
        way: benchmark(run, n_repeat=options.repeats, n_warmup=options.warm_ups).gpu_times[0]
        for way, run in made.items()
    }
    return {way: {"events": summary([float(each) for each in times]), "wall": None} for way, times in found.items()}
