"""Works in a process of their own: a crash or a hang of one costs that one alone, and every result comes home at once."""

import contextlib
import os
import traceback
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

from pipeline.measure.harness.networks import Network
from pipeline.measure.harness.work import Options, Work

MOST_SECONDS = 1800  # of one work: compiling is slow, hanging is slower
LONGEST_PROBLEM = 200
Outcome = tuple[Work, dict[str, Any] | None, str | None]


def outcomes(works: Sequence[Work], subjects: dict[str, Network], options: Options) -> Iterator[Outcome]:
    """Each work with its result, or with one line on what went wrong.

    Where the process dies or is silent for too long the work under way has that as its problem, and the rest go on in a
    new process. The works run in order.
    """
    remaining = list(works)
    context = get_context("spawn")  # a fork would take this process's threads along, and CUDA refuses it
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
    """What a function returns in a process of its own that then ends."""
    with get_context("spawn").Pool(1) as pool:
        return pool.apply(function, arguments)


def _ended(code: int | None) -> str:
    if code is not None and code < 0 and code != -9:
        return f"its process was ended by signal {-code}"
    return (
        f"its process was killed, for want of memory or after {MOST_SECONDS} s"
        if code == -9
        else f"its process ended with {code}"
    )


def _each(to: Connection, works: Sequence[Work], subjects: dict[str, Network], options: Options) -> None:
    # A dependency's chatter belongs to nobody's output.
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
    if options.threads is not None:
        import torch

        torch.set_num_threads(options.threads)
    for work in works:
        result, problem, is_broken = attempt(work, subjects, options)
        to.send((result, problem, is_broken))
        if is_broken:
            return


def attempt(
    work: Work, subjects: dict[str, Network], options: Options
) -> tuple[dict[str, Any] | None, str | None, bool]:
    """A work's result, or one line on its problem, and whether the device is of no more use to this process."""
    import gc

    try:
        return measure(work, subjects.get(work.network), options), None, False
    except Exception as problem:  # a network may end in anything; the others go on
        said, is_broken = in_one_line(problem), "CUDA error" in str(problem)
        if os.environ.get("FLOPLEDGER_TRACEBACK"):
            traceback.print_exc()
    gc.collect()
    if options.device != "cpu" and not is_broken:
        import torch

        torch.cuda.empty_cache()
    return None, said, is_broken


def measure(work: Work, subject: Network | None, options: Options) -> dict[str, Any]:
    """Does one work, in this process, and returns its result."""
    from pipeline.measure.harness import ceilings, flop, nsight, products, training

    if work.part == "ceilings":
        return ceilings.ceiling(work, options)
    if work.part == "products":
        return products.products(work, options)
    if work.part == "hardware":
        return nsight.hardware(work, options)
    assert subject is not None
    return {"flop": flop.flop, "layers": training.layers, "time": training.training}[work.part](work, subject, options)


def in_one_line(problem: BaseException) -> str:
    """A problem as people read it, without a traceback.

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
