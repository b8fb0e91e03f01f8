"""Tasks in a process of their own, so that a crash or a hang costs no result but its own."""

import contextlib
import os
import traceback
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

from pipeline.measure.harness.networks import Network
from pipeline.measure.harness.plan import Options, Task

MOST_SECONDS = 1800  # of one task; compiling takes minutes
LONGEST_PROBLEM = 200
Outcome = tuple[Task, dict[str, Any] | None, str | None]


def outcomes(tasks: Sequence[Task], subjects: dict[str, Network], options: Options) -> Iterator[Outcome]:
    """Each task in order, with its result or its problem in one line.

    Where the process dies or takes too long, that is the problem of the task under way, and the others run in a new process.
    """
    remaining = list(tasks)
    context = get_context("spawn")  # CUDA refuses a fork
    while remaining:
        here, there = context.Pipe(duplex=False)
        process = context.Process(target=_each, args=(there, remaining, subjects, options), daemon=False)
        process.start()
        there.close()
        done, is_whole = 0, False
        try:
            with contextlib.suppress(EOFError, ConnectionResetError):
                while here.poll(MOST_SECONDS):
                    result, problem, is_broken = here.recv()
                    yield remaining[done], result, problem
                    done += 1
                    is_whole = is_broken or done == len(remaining)
                    if is_whole:
                        break
        finally:
            if not is_whole:
                process.kill()
            process.join()
            here.close()
        if not is_whole:
            yield remaining[done], None, _ended(process.exitcode)
            done += 1
        remaining = remaining[done:]


def apart(function: Callable[..., Any], *arguments: Any) -> Any:
    """What a function returns, called in a process of its own that then ends."""
    with get_context("spawn").Pool(1) as pool:
        return pool.apply(function, arguments)


def _ended(code: int | None) -> str:
    if code == -9:
        return f"its process was killed, for lack of memory or after {MOST_SECONDS} s"
    return f"its process was ended by signal {-code}" if code and code < 0 else f"its process ended with {code}"


def _each(to: Connection, tasks: Sequence[Task], subjects: dict[str, Network], options: Options) -> None:
    # Dependencies print much.
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
    if options.threads is not None:
        import torch

        torch.set_num_threads(options.threads)
    for task in tasks:
        result, problem, is_broken = attempt(task, subjects, options)
        to.send((result, problem, is_broken))
        if is_broken:
            return


def attempt(
    task: Task, subjects: dict[str, Network], options: Options
) -> tuple[dict[str, Any] | None, str | None, bool]:
    """A task's result or its problem in one line, and whether this process can no longer use the device."""
    import gc

    try:
        return measure(task, subjects.get(task.network), options), None, False
    except Exception as problem:  # networks raise anything, and other tasks follow
        message, is_broken = in_one_line(problem), "CUDA error" in str(problem)
        if os.environ.get("FLOPLEDGER_TRACEBACK"):
            traceback.print_exc()
    gc.collect()
    if options.device != "cpu" and not is_broken:
        import torch

        torch.cuda.empty_cache()
    return None, message, is_broken


def measure(task: Task, subject: Network | None, options: Options) -> dict[str, Any]:
    """The result of one task, measured in this process."""
    from pipeline.measure.harness import ceilings, flop, nsight, products, single_layers, training

    if task.part == "ceilings":
        return ceilings.ceiling(task, options)
    if task.part == "products":
        return products.products(task, options)
    if task.part == "hardware":
        return nsight.hardware(task, options)
    assert subject is not None
    return {"flop": flop.flop, "layers": single_layers.layers, "time": training.training}[task.part](
        task, subject, options
    )


def in_one_line(problem: BaseException) -> str:
    """A problem in one line, without a traceback.

    >>> in_one_line(ModuleNotFoundError("No module named 'cupy'", name="cupy"))
    'cupy is not installed'
    """
    if isinstance(problem, ModuleNotFoundError):
        return f"{problem.name} is not installed"
    words = " ".join(str(problem).split())
    kind = type(problem).__name__
    if kind == "OutOfMemoryError" or "not enough memory" in words or "out of memory" in words:
        return "too little memory"
    if kind in ("UnsupportedError", "NoCounterError", "UnbuildableError"):
        return words[:LONGEST_PROBLEM]
    return f"{kind}: {words}"[:LONGEST_PROBLEM]
