"""Every column is described, has its unit in its name, and is used; reading one imports nothing from pandera."""

import subprocess
import sys

import pytest

from pipeline.base.paths import ROOT
from schemas import columns, tables
from schemas.columns import nulls
from schemas.errors import ContractError
from schemas.tables import TABLES
from schemas.tables.table import Table

DECLARED = columns.COLUMNS
SENTENCES = {name: value for name, value in vars(nulls).items() if name.isupper() and isinstance(value, str)}
UNITS = {"flop", "flop_per_second", "second", "chip_second", "chip_hour", "fraction", "byte", "byte_per_second", "watt", "kwh", "usd", "kg", "litre", "g_per_kwh", "decades", None}  # fmt: skip


def test_every_column_says_what_it_is():
    assert len(DECLARED) > 300
    for name, column in DECLARED.items():
        assert column.description.endswith("."), name
        assert "null" not in column.description, f"{name}: what null means is said by the tables"
        assert column.unit in UNITS, name
        if column.unit in {"flop", "flop_per_second"}:
            assert column.unit in name, f"{name} does not end in its unit"


def test_every_declared_column_and_sentence_is_used():
    names = [word.removesuffix("?").rpartition("=")[2] for table in TABLES.values() for word in table.columns.split()]
    assert DECLARED.keys() == {*names}
    said = {column.null for column in DECLARED.values()}.union(*(table.nulls.values() for table in TABLES.values()))
    assert {*SENTENCES.values()} <= said
    assert len({*SENTENCES.values()}) == len(SENTENCES)
    assert all(sentence.endswith(".") for sentence in SENTENCES.values())


def test_to_read_a_column_imports_neither_pandas_nor_pandera():
    script = "import sys; from schemas import columns; print(columns.COLUMNS['training_flop'].label, {'pandas', 'pandera', 'pyarrow'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout == "Training compute, FLOP set()\n"


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["width,number,,,,,,,Width.", "width,text,,,,,,,Width."], "declaration 2: 'width' is declared twice"),
        (["width,float,,,,,,,Width."], "declaration 1: kind 'float' is unknown; known are text, number, whole number"),
        (["width,number,wide,,,,,,Width."], "declaration 1: check 'wide' is neither one of CHECKS nor a vocabulary"),
        (["width,number,,,,,,WIDE,Width."], "declaration 1: null 'WIDE' is no sentence of nulls.py"),
    ],
)
def test_a_wrong_declaration_is_one_line(lines, message):
    with pytest.raises(ContractError) as refused:
        columns.declared(["name,kind,check,unit,form,words,label,null,description", *lines])
    assert message in str(refused.value)
    assert str(refused.value).count("\n") == 0


def test_a_table_of_an_unknown_column_is_refused_with_the_nearest(monkeypatch):
    monkeypatch.setitem(TABLES, "widths", Table("One row per width.", "model_id", "model_id training_flops"))
    with pytest.raises(
        ContractError, match=r"schemas/tables, widths: 'training_flops' is not a column.*'training_flop'"
    ):
        tables.columns_of("widths")
