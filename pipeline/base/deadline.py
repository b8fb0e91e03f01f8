"""Run a command in a child process, which is ended at a deadline, because C code cannot be interrupted from inside."""

import os
import resource
import signal
import sys
from math import inf
from pathlib import Path
from select import select
from time import monotonic
from typing import Any, NoReturn

GRACE_SECONDS = 0.3  # in which a child may remove its temporary files
KILL_IF_PARENT_DIES = 1  # PR_SET_PDEATHSIG
_orders = -1  # in a child: the pipe on which its parent waits for orders


class DeadlineError(BaseException):
    """Raised in a child at its deadline. It is a BaseException, so that no `except Exception` catches it."""


def start(seconds: float, message: str) -> None:
    """Fork: return in the child; in this process, wait for the child and exit with its code.

    After `seconds` (0: never), end the child, print the message and exit with 1. `shorten` sets an earlier deadline.
    """
    global _orders
    parent_end, child_end = os.pipe()
    child = os.fork()
    if child:
        os.close(child_end)
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal interrupts the child too
        signal.signal(signal.SIGTERM, lambda *_: os.kill(child, signal.SIGTERM))
        raise SystemExit(_code(child, parent_end, seconds or inf, message))
    os.close(parent_end)
    _orders = child_end
    signal.signal(signal.SIGTERM, _end)
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(KILL_IF_PARENT_DIES, signal.SIGKILL)


def _end(*_: Any) -> NoReturn:
    """Print no more errors, because the parent prints the line and a library may turn this error into another one."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    raise DeadlineError


def _code(child: int, orders: int, seconds: float, message: str) -> int:
    deadline, code = monotonic() + seconds, 1
    while _has_answer(orders, deadline - monotonic()):
        order = os.read(orders, 4096).decode()
        if not order:  # the child has ended
            ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            if ended < 0:
                print(f"ended by the signal {signal.Signals(-ended).name}", file=sys.stderr)
            return ended if ended >= 0 else 128 - ended
        after, status, message = order.split("\t", 2)
        deadline, code = min(deadline, monotonic() + float(after)), int(status)
    os.kill(child, signal.SIGTERM)
    if not _has_answer(orders, GRACE_SECONDS):
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    print(message, file=sys.stderr)
    return code


def _has_answer(pipe: int, seconds: float) -> bool:
    return bool(select([pipe], [], [], None if seconds == inf else max(seconds, 0))[0])


def shorten(seconds: float, code: int, message: str) -> None:
    """End this command in so many seconds, with this exit code and message, unless it ends earlier by itself."""
    if _orders >= 0:
        os.write(_orders, f"{seconds}\t{code}\t{message}".encode())


def limit_memory(more_bytes: int) -> None:
    """Let a child process grow by so many bytes; allocating more raises MemoryError."""
    pages = Path("/proc/self/statm")  # only on Linux
    if _orders >= 0 and pages.exists():
        limit = int(pages.read_text().split()[0]) * resource.getpagesize() + more_bytes
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
