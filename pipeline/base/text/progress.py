"""Show the progress of work that takes seconds."""

import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

Item = TypeVar("Item")


@contextmanager
def status(message: str) -> Iterator[Callable[[str], None]]:
    """Show the message on a terminal while the block runs. The block may call the yielded function to name its step.

    If standard error is not a terminal, print only the steps, one per line.
    """
    if not sys.stderr.isatty():
        yield lambda step: print(f"{message}: {step}", file=sys.stderr, flush=True)
        return
    from rich.console import Console
    from rich.markup import escape

    with Console(stderr=True).status(escape(message)) as spinner:
        yield lambda step: spinner.update(escape(f"{message}: {step}"))


def track(what: str, items: Sequence[Item], name: Callable[[Item], str]) -> Generator[Item, None, None]:
    """Yield the items, and show the name and number of the current one."""
    with status(what) as show:
        for number, item in enumerate(items, 1):
            show(f"{name(item)} ({number} of {len(items)})")
            yield item
