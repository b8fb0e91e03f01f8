"""Help for writing records: commented drafts to fill in, and JSON Schemas for editors.

`python -m pipeline.records.drafts` writes the schemas and a reference of all keys, and so do `make install` and
`flopledger new`. The files are not in git. templates/keys.yaml explains the keys.
"""

import dataclasses
import json
import types
import typing
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from pipeline.architectures.network import FAMILIES
from pipeline.base.paths import SCHEMAS, replace_file
from schemas import records as schema

EDITOR = SCHEMAS / "editor"
TEMPLATES = Path(__file__).resolve().parent / "templates"
FOLDERS = {
    "model": "models",
    "organization": "organizations",
    "chip": "hardware",
    "measurement": "measurements",
    "erratum": "errata",
}
WORDS = {int: "integer", float: "number", bool: "boolean", str: "string", list: "array", dict: "object"}

CONDITIONS: dict[str, Any] = yaml.safe_load((TEMPLATES / "conditions.yaml").read_text(encoding="utf-8"))


class DraftError(ValueError):
    """Raised if a draft cannot be written; the message is one line."""


def draft(kind: str, identifier: str, schemas: str = "../../../schemas/editor") -> str:
    """Return the commented draft of a record of this kind: model, organization, chip, measurement or erratum.

    `schemas` is the folder in which an editor finds the schemas.
    """
    text = (TEMPLATES / f"{kind}.yaml").read_text(encoding="utf-8")
    # str.format would fail, because the text contains braces that are not placeholders.
    return text.replace("{schema}", f"{schemas}/{FOLDERS[kind]}.schema.json").replace("{id}", identifier)


def write_draft(kind: str, identifier: str, root: Path, folder: Path | None = None) -> Path:
    """Write the draft to its folder below `root`, or to `folder`, and return its path.

    Raise DraftError if the id is malformed or in use.
    """
    if not schema.IDENTIFIER.fullmatch(identifier):
        raise DraftError(f"{identifier!r} is not an id; ids are lower-case words with hyphens, such as gpt-3")
    path = (folder or root / "data" / "records" / FOLDERS[kind]) / f"{identifier}.yaml"
    if path.exists() or path.is_symlink():
        raise DraftError(f"{path} exists already; edit it, or choose another id")
    path.parent.mkdir(parents=True, exist_ok=True)
    text = draft(kind, identifier, EDITOR.as_posix()) if folder else draft(kind, identifier)
    replace_file(path, text)
    return path


@cache
def editor_schema(folder: str) -> dict[str, Any]:
    """Return the JSON Schema of the records in this folder of data/records, with the keys of all families."""
    json_schema = schema.KINDS[folder].model_json_schema()
    json_schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    architecture = json_schema.get("$defs", {}).get("Architecture")
    if architecture:
        for network in (network_key for network_key in json_schema["properties"].values() if "anyOf" in network_key):
            if {"$ref": "#/$defs/Architecture"} in network["anyOf"]:  # with `like`, a record states only differences
                network["anyOf"].append({"type": "object", "not": {"required": ["family"]}})
        architecture["properties"]["family"] = {"enum": sorted(FAMILIES)}
        architecture["allOf"] = [_family_condition(name, architecture) for name in sorted(FAMILIES)]
    json_schema.setdefault("$defs", {})["Sourced"] = CONDITIONS["Sourced"]
    sourced = {"additionalProperties": {"$ref": "#/$defs/Sourced"}}
    sourced_by_kind = {**sourced, "if": {"not": {"required": ["like"]}}, "then": CONDITIONS["with_kinds"]}
    json_schema["allOf"] = [
        {"if": CONDITIONS["stated_by_user"], "else": sourced_by_kind}
        if "stated_by_user" in json_schema["properties"]
        else sourced
    ]
    if "like" in json_schema["properties"]:  # a sibling may state required keys
        complete = {"required": json_schema.pop("required")}
        json_schema["allOf"].append({"if": {"required": ["like"]}, "else": complete})
    _describe(json_schema)
    return json_schema


@cache
def _meanings() -> dict[str, dict[str, str]]:
    meanings: dict[str, dict[str, str]] = yaml.safe_load((TEMPLATES / "keys.yaml").read_text(encoding="utf-8"))
    return meanings


def _describe(json_schema: dict[str, Any]) -> None:
    """Add the meaning of each key from keys.yaml. All records share the keys of `Record`, all facts those of `Fact`."""
    meanings = _meanings()
    for part in map(_mapping, (json_schema, *json_schema["$defs"].values())):
        shared = "Fact" if _is_fact(part) else "Record" if "reviewed" in part["properties"] else ""
        for key, meaning in {**meanings.get(shared, {}), **meanings.get(part.get("title", ""), {})}.items():
            if key in part["properties"]:
                part["properties"][key]["description"] = meaning


def _mapping(part: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a part written as a mapping, because some parts may also be written as a single word."""
    return next((form for form in part.get("anyOf", ()) if "properties" in form), {"properties": {}, **part})


def _is_fact(part: dict[str, Any]) -> bool:
    return "inherited_from" in part["properties"]


def keys_reference() -> str:
    """Return a Markdown reference for all keys: the record kinds first, then their parts."""
    lines = [
        "# Keys of records",
        "",
        "Written by `make install` from schemas/records and pipeline/records/templates/keys.yaml.",
    ]
    parts: dict[str, dict[str, Any]] = {}
    for folder in schema.KINDS:
        json_schema = editor_schema(folder)
        parts |= json_schema["$defs"]
        needed = json_schema["allOf"][-1].get("else", {}).get("required", ())  # required without `like`
        table = _table(json_schema["properties"], {"required": needed, **json_schema})
        lines += ["", f"## data/records/{folder}", "", json_schema["description"], "", *table]
    fact = _meanings()["Fact"]
    lines += ["", "## Fact", "", "The keys that every fact has, whether it is a number or a word.", ""]
    lines += _table(
        {key: value for key, value in parts["Count"]["properties"].items() if key in fact}, {"$defs": parts}
    )
    lines += ["", "## Parts"]
    for name, part in sorted((name, _mapping(part)) for name, part in parts.items()):
        other_keys = {key: form for key, form in part["properties"].items() if not (_is_fact(part) and key in fact)}
        if "description" in part and part["properties"]:
            aside = " A [fact](#fact)." if _is_fact(part) else ""
            lines += ["", f"### {name}", "", part["description"] + aside]
            lines += ["", *_table(other_keys, {**part, "$defs": parts})] if other_keys else []
    return "\n".join(lines) + "\n"


def _table(properties: dict[str, Any], part: dict[str, Any]) -> Iterator[str]:
    yield from ("| key | form | meaning |", "|---|---|---|")
    for key, form in properties.items():
        required = " (required)" if key in part.get("required", ()) else ""
        yield f"| `{key}`{required} | {_form(form, part['$defs'])} | {form.get('description', '')} |"


def _form(form: dict[str, Any], parts: dict[str, Any]) -> str:
    """Return in Markdown what may be written for a key: words, a type, or a link to the part."""
    if "anyOf" in form:
        return " or ".join(filter(None, (_form(option, parts) for option in form["anyOf"])))
    if "$ref" in form:
        name = form["$ref"].rpartition("/")[2]
        return _form(parts[name], parts) if "enum" in parts[name] else f"[{name}](#{name.lower()})"
    if "enum" in form:
        return " ".join(f"`{word}`" for word in form["enum"])
    if "items" in form:
        return f"list of {_form(form['items'], parts)}"
    value_form = form.get("additionalProperties") or next(iter(form.get("patternProperties", {}).values()), None)
    if isinstance(value_form, dict):
        return f"{_form(value_form, parts)} by key"
    kind = form.get("type", "")
    return "" if kind == "null" else " or ".join(kind) if isinstance(kind, list) else kind


def _family_condition(name: str, architecture: dict[str, Any]) -> dict[str, Any]:
    keys_of_family = {key.name: _type(key.type) for key in dataclasses.fields(FAMILIES[name])}  # type: ignore[arg-type]
    properties = {**dict.fromkeys(architecture["properties"], True), **keys_of_family}
    return {
        "if": {"properties": {"family": {"const": name}}},
        "then": {"properties": properties, "additionalProperties": False},
    }


def _type(hint: Any) -> dict[str, Any]:
    kinds = typing.get_args(hint) if isinstance(hint, types.UnionType) else (hint,)
    words = [WORDS[typing.get_origin(kind) or kind] for kind in kinds if (typing.get_origin(kind) or kind) in WORDS]
    return {"type": words} if words else {}


def write_editor_schemas(folder: Path = EDITOR) -> None:
    """Write the schemas of all record kinds and the reference of their keys.

    Do not write files that are up to date, because the package may be in a read-only folder.
    """
    folder.mkdir(exist_ok=True)
    files = {f"{kind}.schema.json": json.dumps(editor_schema(kind), indent=1) + "\n" for kind in schema.KINDS}
    for name, text in {**files, "keys.md": keys_reference()}.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            replace_file(path, text)


if __name__ == "__main__":
    write_editor_schemas()
