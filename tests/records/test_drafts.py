"""Drafts of records and the schema for editors agree with schemas/records."""

import json
import re

import jsonschema
import pytest
import yaml

from pipeline.records import drafts, loading
from pipeline.records.yaml_text import read
from pipeline.stages import flow
from schemas import records as schema
from tests.builders import typed
from tests.faults import OPERATIONS, everywhere

FOLDERS = sorted(schema.KINDS)


def test_schemas_for_editors_are_written_for_every_kind_and_only_where_they_changed(tmp_path):
    drafts.write_editor_schemas(tmp_path)
    written = {path.name: (path.read_bytes(), path.stat().st_ino) for path in tmp_path.iterdir()}
    assert sorted(written) == sorted(["keys.md", *(f"{folder}.schema.json" for folder in FOLDERS)])
    (tmp_path / "models.schema.json").write_text("{}")
    drafts.write_editor_schemas(tmp_path)
    again = {path.name: (path.read_bytes(), path.stat().st_ino) for path in tmp_path.iterdir()}
    assert [name for name in again if again[name] != written[name]] == ["models.schema.json"]
    assert again["models.schema.json"][0] == written["models.schema.json"][0]


def test_each_schema_that_the_settings_of_an_editor_name_is_of_a_kind():
    named = json.loads((flow.ROOT / ".vscode/settings.json").read_text())["yaml.schemas"]
    for path, records in named.items():
        folder = records.removeprefix("data/records/").removesuffix("/*.yaml")
        assert folder in FOLDERS
        assert path == f"schemas/editor/{folder}.schema.json"


def test_each_meaning_is_of_a_key_and_every_key_of_a_model_has_one():
    described = set()
    for folder in FOLDERS:
        record = drafts.editor_schema(folder)
        for title, part in [(record["title"], record), *record["$defs"].items()]:
            for form in [part, *part.get("anyOf", [])]:
                described |= {
                    (title, key) for key, value in form.get("properties", {}).items() if "description" in value
                }
    meanings = yaml.safe_load((drafts.TEMPLATES / "keys.yaml").read_text())
    shared = {"Record": "Model", "Fact": "Count"}
    assert {(shared.get(title, title), key) for title, keys in meanings.items() for key in keys} <= described
    whole = ["Model", "Phase", "Allocation", "Quote", "Source", "ExternalEstimate", "Contribution", "Missing", "Count"]
    keys = drafts.editor_schema("models")
    parts = {"Model": keys, **keys["$defs"], "Missing": keys["$defs"]["Missing"]["anyOf"][1]}
    silent = {(title, key) for title in whole for key in parts[title]["properties"]} - described
    assert silent == {("Allocation", "note"), ("Phase", "note")}


def test_the_reference_of_keys_links_only_parts_that_it_has():
    text = drafts.keys_reference()
    headings = {line.lstrip("# ").lower() for line in text.splitlines() if line.startswith("#")}
    linked = set(re.findall(r"\]\(#([\w-]+)\)", text))
    assert "phase" in linked
    assert linked <= headings
    assert "| `examples` | [Count](#count) | Size of the data set" in text


def problems(folder, content):
    return list(jsonschema.Draft202012Validator(drafts.editor_schema(folder)).iter_errors(content))


def content_of(path):
    text, mistakes = read(path, path.name)
    assert not mistakes
    return text.content


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_record_passes_the_schema_for_editors(folder):
    validator = jsonschema.Draft202012Validator(drafts.editor_schema(folder))
    for path in sorted((flow.ROOT / "data" / "records" / folder).glob("*.yaml"))[::3]:  # each takes 10 ms
        assert [error.message for error in validator.iter_errors(content_of(path))] == [], path.name


def test_the_schema_for_editors_refuses_what_validate_refuses():
    sound = content_of(flow.ROOT / "data/records/models/gpt-3.yaml")
    assert problems("models", {**sound, "architecture": {**sound["architecture"], "depth": 3}})
    assert problems("models", {**sound, "domain": "languages"})
    assert problems("models", {**sound, "parameters": {"value": 175e9}})
    assert problems("models", {**sound, "parameters": {"value": 175e9, "quote": "parameters", "source": "paper"}})
    assert problems("models", {**sound, "quotes": {"size": {"source": "paper", "text": "175 billion parameters"}}})
    assert not problems("models", {**sound, "stated_by_user": True, "parameters": {"value": 175e9}})


@pytest.mark.parametrize("kind", sorted(drafts.FOLDERS))
def test_a_draft_names_only_keys_that_there_are(kind):
    """With every comment removed, a draft has no unknown key; its empty values are another matter."""
    lines = drafts.draft(kind, "an-id").splitlines()[2:]
    bare = [re.sub(r"^(\s*)# ?(?=(?: *- | *[a-z_0-9]+:))", r"\1", line) for line in lines]
    text = "\n".join(line.replace("rows: []", "rows:") for line in bare if not line.startswith("# "))
    unknown = [error for error in problems(drafts.FOLDERS[kind], yaml.safe_load(text)) if "unexpected" in error.message]
    assert [error.message for error in unknown] == []


def test_a_draft_is_where_its_kind_stands_and_never_overwrites(tmp_path):
    path = drafts.write_draft("model", "my-net", tmp_path)
    assert path == tmp_path / "data/records/models/my-net.yaml"
    with pytest.raises(drafts.DraftError, match="exists already"):
        drafts.write_draft("model", "my-net", tmp_path)
    with pytest.raises(drafts.DraftError, match="is not an id"):
        drafts.write_draft("model", "../My Net", tmp_path)


@pytest.mark.parametrize("is_kill", [False, True])
@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_draft_that_cannot_be_written_is_not_there(tmp_path, operation, is_kill):
    """Not even an empty file, which would block the next attempt and stop the pipeline."""
    path = tmp_path / "data/records/models/my-net.yaml"
    tried = 0
    for error in everywhere(operation, is_kill, lambda: drafts.write_draft("model", "my-net", tmp_path)):
        tried += 1
        assert is_kill or str(error.filename) == str(path)
        assert list(path.parent.glob("*.yaml")) == []
    assert tried == 1
    assert path.read_text() == drafts.draft("model", "my-net")


def test_a_model_is_drafted_where_one_stands_and_for_the_ledger_on_demand(tmp_path):
    done = typed("new", "model", "my-net", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "my-net.yaml: fill it in" in done.stdout
    first = (tmp_path / "my-net.yaml").read_text().splitlines()[0]
    assert (flow.ROOT / "schemas/editor/models.schema.json").samefile(first.partition("$schema=")[2])
    assert not (flow.ROOT / "data/records/models/my-net.yaml").exists()
    done = typed("new", "model", "gpt-3", "--into-ledger", folder=tmp_path)  # which already exists there
    assert done.returncode == 1
    assert "data/records/models/gpt-3.yaml exists already" in done.stderr


def test_validate_guides_through_a_draft(tmp_path):
    path = drafts.write_draft("model", "my-net", tmp_path)
    with pytest.raises(loading.RecordError) as caught:
        loading.load([path])
    fields = {mistake.field for mistake in caught.value.mistakes}
    assert {"name", "organization", "organization_kind", "published", "domain", "training[0].example_unit"} <= fields


def test_the_example_of_contributing_passes_the_schema_for_editors(tmp_path):
    (example,) = re.findall(r"```yaml\n(.*?)```", (flow.ROOT / "CONTRIBUTING.md").read_text(), re.DOTALL)
    (tmp_path / "example.yaml").write_text(example)
    assert problems("models", content_of(tmp_path / "example.yaml")) == []
