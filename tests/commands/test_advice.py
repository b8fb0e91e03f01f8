"""Each kind of a user's run with each verb that takes its file, and each command that the program or a page advises."""

import re
import shlex

import pytest

from pipeline.answers import own_run
from pipeline.base.paths import ROOT
from tests.builders import typed

KINDS = {
    "count": "--parameters 7B --tokens 2T",
    "experts": "--parameters 671B --active-parameters 37B --tokens 14.8T --precision fp8 --hardware H800 --chip-hours 2.7M",
    "all-four": "--parameters 7B --tokens 2T --chips 256 --hardware H100 --days 20",
    "days-left-out": "--parameters 7B --tokens 2T --chips 256 --hardware H100",
    "chips-left-out": "--parameters 7B --tokens 2T --days 20 --hardware H100 --organization Google",
    "tokens-left-out": "--parameters 7B --chips 256 --days 20 --hardware A100",
    "parameters-left-out": "--tokens 2T --chips 256 --days 20 --hardware H100 --overhead 1.1",
    "stated-utilization": "--parameters 70B --tokens 15T --chips 16000 --hardware H100 --utilization 0.40..0.42",
    "unknown-power": '--parameters 7B --tokens 2B --chips 8 --hardware "RTX 4090"',
    "time": "--chips 64 --days 10 --hardware A100 --trained-in Finland",
    "unnamed-chips": "--chips 64 --days 10 --published 2021",
    "images": "--config resnet50 --images 1M..9M --epochs 90 --chips 16 --days 1 --hardware A100",
    "config": "--config tests/architectures/field_cases/llama3_1_8b.json --tokens 15T",
    "speed": "--parameters 13B --chips 64 --hardware H100 --tokens-per-second 61k --recompute",
    "steps": "--parameters 13B --steps 500 --batch 16 --sequence-length 2048 --step-time 3.1 --chips 16 --hardware A100",
    "tuned": "--base-model llama-3-1-8b --tokens 100M --chips 8 --days 0.5 --hardware A100",
    "frozen": "--base-model llama-3-1-8b --tokens 50M --frozen --chips 8 --days 0.25 --hardware H100",
    "generated": "--base-model llama-3-1-8b --tokens 2B --generated-tokens 8B --chips 8 --days 3 --hardware H100",
    "generated-frozen": "--base-model qwen3-32b --tokens 20B --generated-tokens 20B --frozen --chips 128 --days 5 --hardware H100",
    "vision": "--domain vision --chips 8 --days 3 --hardware A100",
}
VERBS = (
    "show my-run.yaml",
    "show my-run.yaml --json",
    "explain my-run.yaml",
    "explain my-run.yaml --json",
    "estimate my-run.yaml",
    "estimate my-run.yaml --json",
    "estimate my-run.yaml --explain",
    "thresholds my-run.yaml",
    "thresholds my-run.yaml --json",
    "export my-run.yaml --eu",
    "export my-run.yaml --eu --out eu.html",
    "compare my-run.yaml gpt-3",
)
COMMAND = re.compile(
    r"`(?:flopledger (?=\w+ )|(?=(?:estimate|count) ))([^`\n]+)`|<code>flopledger ([^<]+ [^<]+)</code>"
    r"|^(?:\$ |.*&& )?(?:\.venv/bin/)?flopledger (.+?)(?:\s+#.*)?$",
    re.MULTILINE,
)
# What a person puts in place of the words that stand for something.
NAMED = {
    "MODEL": "gpt-3",
    "ID": "gpt-3",
    "FILE": f"{ROOT}/data/records/models/gpt-3.yaml",
    "COMMAND": "show",
    "WORD": "llama",
    "N": "1e9",
    "small-talk-8b": "gpt-3",
}
# Parts of commands, and commands that write into the ledger, download or need another file.
NOT_RUN = ("new", "update", "measure", "query --csv", "estimate --from", "validate RECORD --against", "validate data")
PAGES = ("README.md", "CONTRIBUTING.md", "data/README.md", "pipeline/README.md", "pipeline/formulas/README.md")


def advised(text):
    """Return the commands in a text that are complete, unlike `query "…"`."""
    commands = {next(filter(None, groups)) for groups in COMMAND.findall(text)}
    return {command for command in commands if "…" not in command}


def done(command, folder):
    answer = typed(*shlex.split(command), folder=folder)
    assert answer.returncode == 0, (command, answer.stderr)
    assert "Traceback" not in answer.stdout + answer.stderr, command
    return answer


class Once:
    """A function that is called once; its answer is given again to later calls."""

    def __init__(self, function):
        self.function, self.answers = function, []

    def __call__(self, *arguments):
        self.answers = self.answers or [self.function(*arguments)]
        return self.answers[0]


@pytest.mark.parametrize("kind", KINDS)
def test_every_verb_takes_every_kind_of_run(kind, tmp_path, monkeypatch):
    """The rules run once for the figures and once for the file; every verb formats one of these accounts."""
    monkeypatch.setattr(own_run, "run", run := Once(own_run.run))
    monkeypatch.setattr(own_run, "record_account", of_record := Once(own_run.record_account))
    figures = KINDS[kind].replace("tests/", f"{ROOT}/tests/")
    said = [done(f"estimate {figures}{words}", tmp_path) for words in (" --save my-run.yaml", " --json", " --explain")]
    said += [done(verb, tmp_path) for verb in VERBS]
    assert of_record.answers[0]["training_flop_high"] == run.answers[0]["training_flop_high"]
    texts = "\n".join(answer.stdout + answer.stderr for answer in said)
    for command in advised(texts + (tmp_path / "my-run.yaml").read_text()):
        if command == "estimate --explain":
            continue  # of the figures, above
        done(command, tmp_path)
    refused = typed("cite", "my-run.yaml", folder=tmp_path)
    assert (refused.returncode, len(refused.stderr.splitlines())) == (1, 1)
    assert "your own number" in refused.stderr


def test_every_command_that_a_page_names_runs(tmp_path):
    templates = (ROOT / "pipeline/site/templates").rglob("*.html")
    texts = (file.read_text(encoding="utf-8") for file in [*(ROOT / name for name in PAGES), *templates])
    text = "\n".join(texts).replace("{{ first_year }}", "2018")
    text = re.sub(r"\{\{.*?\}\}", "MODEL", text)
    commands = {command for command in advised(text) if not command.startswith(NOT_RUN)}
    assert len(commands) > 10
    for command in commands:
        words = [NAMED.get(word, word) for word in shlex.split(command)]
        done(shlex.join(words), tmp_path)
