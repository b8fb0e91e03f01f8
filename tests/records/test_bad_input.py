"""Invalid input as a user meets it: exit code 1, one line per problem on standard error, and nothing else."""

import os
from pathlib import Path

import pytest

from pipeline.base.paths import RECORDS
from tests.builders import typed
from tests.records.conftest import IMAGES, World

GOOD = IMAGES.replace("name: Images", "name: My net")


BAD = [
    (GOOD.replace("nvidia-gtx-580", "gxt580"), ":25 training[0].hardware[0].chip: 'gxt580' is not a chip in the ledger; did you mean 'nvidia-gtx-580'?"),
    ("a: " + "[" * 300_000, ":1: is nested deeper than 20 levels"),
    ("", ": is empty; `README.md` shows how a record begins"),
    (b"\x00\xff\xfe", ": is not text in UTF-8 (byte 1)"),
]  # fmt: skip


def test_one_line_on_standard_error(tmp_path: Path) -> None:
    lines = []
    for number, (content, message) in enumerate(BAD):
        file = tmp_path / f"my-net-{number}.yaml"
        named = content if isinstance(content, bytes) else content.replace("My net", f"My net {number}").encode()
        file.write_bytes(named)
        lines.append(f"{file}{message}")
    done = typed("validate", *sorted(tmp_path.iterdir()))
    assert (done.returncode, done.stdout, done.stderr.splitlines()) == (1, "", lines)
    for line in (lines[0], lines[-1]):
        done = typed("estimate", line.partition(":")[0])
        assert (done.returncode, done.stdout, done.stderr) == (1, "", f"{line}\n")


@pytest.mark.parametrize("verb", ["validate", "estimate"])
def test_a_missing_file_names_the_one_beside_it(tmp_path: Path, verb: str) -> None:
    beside = tmp_path / "my-net.yaml"
    beside.write_text(GOOD)
    file = tmp_path / "my-nett.yaml"
    done = typed(verb, file)
    message = f"{file}: does not exist; did you mean '{beside}'?\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", message)


@pytest.mark.parametrize("verb", ["validate", "estimate"])
def test_what_is_no_record_is_not_suggested(tmp_path: Path, verb: str) -> None:
    (tmp_path / "my-nets.yaml").write_text("stages: {}\n")
    (tmp_path / "my-net.yaml").symlink_to("my-net.yaml")
    for name, message in (("my-nett.yaml", "does not exist"), ("my-net.yaml", "is a link that leads nowhere")):
        done = typed(verb, tmp_path / name)
        assert (done.returncode, done.stdout, done.stderr) == (1, "", f"{tmp_path / name}: {message}\n")
    assert typed(verb, "nosuch.yaml").stderr == "nosuch.yaml: does not exist\n"


@pytest.mark.parametrize("written", ["gpt-3", "gtp-3"])
def test_an_id_names_its_record(written: str) -> None:
    message = f"{written}: does not exist; did you mean '{os.path.relpath(RECORDS / 'models/gpt-3.yaml')}'?\n"
    assert typed("validate", written).stderr == message


def test_all_problems_of_all_files_in_one_run(world: World) -> None:
    good = GOOD.replace("A university", "University of Oxford")  # next to the ledger's own records
    first = world.write("models/first.yaml", good.replace("vision", "visoin").replace("gtx-580", "gtx-58O"))
    second = world.write("models/second.yaml", good.replace("5 day", "7 day").replace("name: ", "name: Second ", 1))
    done = typed("validate", first, second)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.splitlines() == [
        f"{first}:5 domain: 'visoin' is not an allowed value; did you mean 'vision'?",
        f"{first}:25 training[0].hardware[0].chip: 'nvidia-gtx-58O' is not a chip in the ledger; did you mean 'nvidia-gtx-580'?",
        f"{second}:27 training[0].hardware[0].duration: low (7 day) is above high (6 day); swap them",
    ]


def test_a_draft_elsewhere_does_not_stop_a_sound_record(world: World) -> None:
    """An unfinished record elsewhere in the ledger is ignored, whether its shape or what it refers to is wrong."""
    from pipeline.records import loading

    world.write("models/draft.yaml", "name: ''\n")
    world.change("models/text.yaml", "domain: language", "domain: language\nbase_model: nothing")
    records = loading.load([world.folder / "models/images.yaml"], among=[world.folder])
    assert set(records.models) == {"images"}
    with pytest.raises(loading.RecordError, match="draft.yaml"):
        loading.load([world.folder])
