"""The whole output of `show` and `explain` for nine models and of `estimate` for a user's: each change shows here.

`python -m tests.golden.test_accounts` rewrites the files; read the difference before you commit it.
"""

import re
from pathlib import Path

import pytest

from tests.builders import typed

ACCOUNTS = Path(__file__).with_name("accounts")
OWN = "estimate --parameters 7B --tokens 2T --chips 512 --hardware H100 --days 20 --published 2025"
MODELS = "alphago-zero cerebras-gpt-111m gpt-3 gpt-4 gpt-4o grok-3 lucie-7b seq2seq stylegan3-r".split()
COMMANDS = {model: (f"show {model}", f"explain {model}") for model in MODELS} | {"own-model": (OWN, f"{OWN} --explain")}


def text_of(name):
    """Return what the commands print, without the version."""
    printed = "\n".join(typed(*command.split()).stdout for command in COMMANDS[name])
    return re.sub(r"Version [\d.-]+\d(?:\+[\w.]+ \(later changes, not a release\))?", "Version …", printed)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_account_reads_as_it_was_read(name):
    assert text_of(name) == (ACCOUNTS / f"{name}.txt").read_text(encoding="utf-8")


if __name__ == "__main__":
    for each in COMMANDS:
        (ACCOUNTS / f"{each}.txt").write_text(text_of(each), encoding="utf-8")
