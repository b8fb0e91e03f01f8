"""A record is checked against the kinds of records that it may name, and only these are read for it."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import Any

from pipeline.base.paths import RECORDS
from pipeline.records import loading
from pipeline.records.checks.links import CrossChecks
from pipeline.records.ledger import NAMED_BY
from schemas.records import KINDS, Records


def test_checks_look_only_at_kinds_that_are_read(monkeypatch) -> None:
    looked_at: set[tuple[str, str]] = set()
    checked = ""

    class Watched(Records):
        def __getattribute__(self, name: str) -> Any:
            looked_at.add((checked, name))
            return super().__getattribute__(name)

    def mistakes(self: CrossChecks) -> Iterator[Any]:
        nonlocal checked
        checked = self.loaded.kind
        yield from check(self)
        checked = ""

    check = CrossChecks.mistakes
    monkeypatch.setattr(loading, "Records", Watched)
    monkeypatch.setattr(CrossChecks, "mistakes", mistakes)
    with suppress(loading.RecordError):  # most of what these name is not loaded
        loading.load(file for kind in KINDS for file in islice(sorted((RECORDS / kind).glob("*.yaml")), 3))
    pairs = {(kind, other) for kind, other in looked_at if kind and other in KINDS}
    assert {("models", "models"), ("gold_runs", "measurements")} <= pairs
    assert [pair for pair in pairs if pair[0] not in {pair[1], *NAMED_BY.get(pair[1], KINDS)}] == []
