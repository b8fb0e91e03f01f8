"""Rows that are taken later, some of them several times: many of them wait on disk, and memory holds what is taken at once."""

import pickle
import tempfile
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Generic, TypeVar

KEPT_ROWS = 1000  # written at once
MEMORY_BYTES = 10_000_000  # which few rows fit into

Kind = TypeVar("Kind")


class Kept(Generic[Kind]):
    """Rows in their order, in a file without a name, which goes with them."""

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(MEMORY_BYTES)  # noqa: SIM115 it is open as long as rows are taken
        self._number = 0
        self._end = 0

    def extend(self, rows: Iterable[Kind]) -> None:
        """Keeps these rows too."""
        self._file.seek(self._end)
        taken = iter(rows)
        while some := [*islice(taken, KEPT_ROWS)]:
            pickle.dump(some, self._file, pickle.HIGHEST_PROTOCOL)
            self._number += len(some)
        self._end = self._file.tell()

    def __len__(self) -> int:
        return self._number

    def __iter__(self) -> Iterator[Kind]:
        place = 0
        while place < self._end:
            self._file.seek(place)
            rows = pickle.load(self._file)
            place = self._file.tell()
            yield from rows

    def __del__(self) -> None:
        self._file.close()
