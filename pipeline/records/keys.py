"""Check keys.csv: the keys of the ledger's models in other databases, and where we saw each key."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from pipeline.records.yaml_text import Mistake
from schemas.records import Records
from schemas.spelling import nearest, plain
from schemas.vocabulary import KeyRelation, KeySystem

FILE = "keys.csv"


def mistakes(records: Records, folder: Path) -> Iterator[Mistake]:
    """Yield a mistake for each row that is incomplete or repeated, or whose key belongs to another model."""
    owners = {plain(name): model for name, model in records.model_ids().items()}
    first_lines: dict[tuple[str, str], int] = {}
    for line, row in enumerate(records.keys, 2):
        model, key = row["model_id"] or "", row["key"] or ""
        wrong = partial(Mistake, str(folder / FILE), line)
        for column, vocabulary in (("system", KeySystem), ("relation", KeyRelation)):
            if row[column] not in {*vocabulary}:
                yield wrong(column, f"{row[column]!r} is not a {column}{nearest(row[column], map(str, vocabulary))}")
        if not key or not row["place"]:
            yield wrong("key" if row["place"] else "place", "is empty; say which key, and where it was seen")
        if model not in records.models:
            yield wrong("model_id", f"{model!r} is not a model{nearest(model, records.models)}")
        if (first := first_lines.setdefault((row["system"] or "", key), line)) != line:
            yield wrong("key", f"{key!r} is already a key of {row['system']} in line {first}; keep one")
        if (owner := owners.setdefault(plain(key), model)) != model:
            yield wrong("key", f"{key!r} is already a name or key of {owner}; a key belongs to one model")
