"""Complete records with `like: SIBLING`: models, such as another size of a family, that state only what differs."""

from collections.abc import Iterator, Set
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from pipeline.base.paths import RECORDS
from pipeline.records import yaml_text
from schemas.records import Model
from schemas.spelling import nearest

# Keys that all sizes of a family share. Names, parameters, access, machines, totals, external values and notes are of
# one model.
SHARED = """organization organization_kind published domain scope sources quotes architecture training
    contributions""".split()
SHARED_BY_PHASES = """phase accounting example_unit examples epochs sequence_length target_length precision framework
    is_forward_only has_frozen_weights""".split()
FACT = {"value", "low", "at_least", "at_most", "covers", "quote", "via"}  # a mapping with one of these keys is a fact


def inherit(record: dict[str, Any], file: str) -> tuple[dict[str, Any], str | None]:
    """Return a record's content, completed from its sibling, and a message if that is impossible, otherwise None."""
    name = record["like"]
    if not isinstance(name, str) or not Model.file_name.fullmatch(name):
        return record, f"{name!r} is not the id of a record"
    folders = [folder for folder in (Path(file).parent, RECORDS / "models") if (folder / f"{name}.yaml").is_file()]
    if not folders:
        return (
            record,
            f"{name!r} is not a record{nearest(name, [path.stem for path in (RECORDS / 'models').glob('*.yaml')])}",
        )
    text, mistakes = yaml_text.read(folders[0] / f"{name}.yaml", name)
    try:
        Model.model_validate(text.content if text and not mistakes else None)
    except ValidationError:
        return record, f"the record of {name!r} has mistakes or itself uses `like`; name a complete record"
    if text is None or not all(isinstance(record.get(key, {}), dict) for key in ("quotes", "sources", "architecture")):
        return record, None  # the check of the record's shape reports this
    sibling = {
        key: value for key, value in text.content.items() if key in SHARED and (key != "architecture" or key in record)
    }
    flags = [
        key
        for key, value in sibling.get("architecture", {}).items()
        if value in (True, False) and key not in record["architecture"]
    ]
    if flags:
        return record, f"sizes of a family may differ in flags: state {', '.join(flags)} in architecture, with evidence"
    merged = _merge(_shared_content(sibling, name), record)
    # Keep only the sibling's quotes and sources that inherited facts name: first quotes, because they name sources.
    for key, naming_keys in (("quotes", {"quote"}), ("sources", {"source", "looked_in"})):
        needed = {
            *record.get(key, ()),
            *_named_ids({name: value for name, value in merged.items() if name != key}, naming_keys),
        }
        merged[key] = {name: value for name, value in merged.get(key, {}).items() if name in needed}
    inherited_sources = {
        quote["source"] for key, quote in merged["quotes"].items() if key not in record.get("quotes", {})
    }
    if shared_keys := inherited_sources & {*record.get("sources", {})}:
        return (
            record,
            f"{name!r} has another source {min(shared_keys)!r}, from which this record inherits facts; give yours"
            " another key",
        )
    return merged, None


def _shared_content(sibling: dict[str, Any], name: str) -> dict[str, Any]:
    """Return the content that a sibling shares: facts marked as inherited, without notes, and quotes under new keys."""
    shared = {
        key: value if key in ("sources", "quotes") else _mark_inherited(value, name) for key, value in sibling.items()
    }
    shared["quotes"] = {f"{name}-{key}": quote for key, quote in sibling.get("quotes", {}).items()}
    phases = shared.get("training", [])
    return shared | {"training": [{key: phase[key] for key in SHARED_BY_PHASES if key in phase} for phase in phases]}


def _mark_inherited(value: Any, name: str) -> Any:
    """Return a sibling's value with its facts marked as inherited, quotes under their new keys, and no notes."""
    if isinstance(value, list):
        return [_mark_inherited(item, name) for item in value]
    if not isinstance(value, dict):
        return value
    quotes = value.get("quote", [])
    quoted = (
        {"quote": [f"{name}-{quote}" for quote in ([quotes] if isinstance(quotes, str) else quotes)]} if quotes else {}
    )
    mark = {"inherited_from": name} if FACT & value.keys() else {}
    return {key: _mark_inherited(item, name) for key, item in value.items() if key != "note"} | quoted | mark


def _merge(sibling: Any, record: Any) -> Any:
    """Return the sibling's content, overridden by the record's own values.

    Keep the sibling's evidence only for inherited settings.
    """
    if not (isinstance(sibling, dict) and isinstance(record, dict)) or FACT & record.keys():
        return record
    merged = sibling | {key: _merge(sibling[key], value) if key in sibling else value for key, value in record.items()}
    if isinstance(sibling.get("evidence"), list) and isinstance(record.get("evidence", []), list):
        kept = [
            entry | {"covers": [key for key in entry["covers"] if key not in record]} for entry in sibling["evidence"]
        ]
        merged["evidence"] = [*record.get("evidence", []), *(entry for entry in kept if entry["covers"])]
    return merged


def _named_ids(content: Any, naming: Set[str]) -> Iterator[str]:
    """Yield the ids given under the `naming` keys, at any depth."""
    if isinstance(content, dict):
        for named in (content[key] for key in naming & content.keys()):
            yield from filter(lambda item: isinstance(item, str), named if isinstance(named, list) else [named])
        content = [*content.values()]
    for item in content if isinstance(content, list) else []:
        yield from _named_ids(item, naming)
