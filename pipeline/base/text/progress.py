"""Progress of work that takes seconds: a message or a bar with count and remaining time on a terminal, a line a stage elsewhere."""

import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

Item = TypeVar("Item")


def each(what: str, items: Sequence[Item], name: Callable[[Item], str]) -> Generator[Item, None, None]:
    """The items, one after the other: `what` and how many are done on a terminal, elsewhere a line with the name of each."""
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
    """Work in these stages: the block calls what it is given at the beginning of each."""
    own = each(what, list(names), str)
    try:
        yield lambda: next(own, None)
    finally:
        own.close()  # and its bar


@contextmanager
def working(message: str) -> Iterator[None]:
    """Shows the message on a terminal while the block runs, and nothing where output goes to a file or a pipe."""
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
