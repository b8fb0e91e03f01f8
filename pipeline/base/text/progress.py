"""Show the progress of work that takes seconds: a message or bar on a terminal, otherwise one line per step."""

import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

Item = TypeVar("Item")


def tracked(what: str, items: Sequence[Item], name: Callable[[Item], str]) -> Generator[Item, None, None]:
    """Yield the items and show progress: `what` and a count on a terminal, otherwise a line per item."""
    if not sys.stderr.isatty():
        for item in items:
            print(f"{what}: {name(item)}", file=sys.stderr, flush=True)
            yield item
        return
    with _bar() as bar:
        task = bar.add_task(what, total=len(items))
        for item in items:
            bar.update(task, description=f"{what}: {name(item)}")
            yield item
            bar.advance(task)


@contextmanager
def stages(what: str, names: Iterable[str]) -> Iterator[Callable[[], Any]]:
    """Show the progress of named stages; the block calls the yielded function when each stage begins."""
    steps = tracked(what, list(names), str)
    try:
        yield lambda: next(steps, None)
    finally:
        steps.close()  # this closes its bar too


@contextmanager
def working(message: str) -> Iterator[None]:
    """Show the message on a terminal while the block runs; show nothing if output goes to a file or a pipe."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.markup import escape

    with Console(stderr=True).status(escape(message)):
        yield


def _bar() -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True)
