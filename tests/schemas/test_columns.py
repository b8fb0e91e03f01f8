"""Every column is described, has its unit in its name, and is used; reading one imports nothing from pandera."""

import csv
import subprocess
import sys

from pipeline.base.paths import ROOT
from pipeline.base.text.cells import FORMS
from schemas import columns
from schemas.columns import nulls
from schemas.tables import TABLES

DECLARED = columns.COLUMNS
SENTENCES = {name: value for name, value in vars(nulls).items() if name.isupper() and isinstance(value, str)}
UNITS = {"flop", "flop_per_second", "second", "chip_second", "chip_hour", "chip_day", "fraction", "byte", "byte_per_second", "watt", "kwh", "usd", "kg", "litre", "g_per_kwh", "decades", None}  # fmt: skip


def test_every_column_says_what_it_is():
    for name, column in DECLARED.items():
        assert column.description.endswith("."), name
        assert "null" not in column.description, f"{name}: what null means is said by the tables"
        assert column.unit in UNITS, name
        if column.unit in {"flop", "flop_per_second"}:
            assert column.unit in name, f"{name} does not end in its unit"


def test_every_declared_column_and_sentence_is_used():
    names = [word.removesuffix("?").rpartition("=")[2] for table in TABLES.values() for word in table.columns.split()]
    assert DECLARED.keys() == {*names}
    meanings = {column.null for column in DECLARED.values()}.union(*(table.nulls.values() for table in TABLES.values()))
    assert {*SENTENCES.values()} <= meanings
    assert len({*SENTENCES.values()}) == len(SENTENCES)
    assert all(sentence.endswith(".") for sentence in SENTENCES.values())


def test_to_read_a_column_imports_neither_pandas_nor_pandera():
    script = "import sys; from schemas import columns; print(columns.COLUMNS['training_flop'].label, {'pandas', 'pandera', 'pyarrow'} & {*sys.modules})"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout == "Training compute, FLOP set()\n"


def test_every_declaration_has_its_own_name_and_a_kind_and_form_that_exist():
    with (ROOT / "schemas/columns/columns.csv").open(encoding="utf-8", newline="") as file:
        assert [row["name"] for row in csv.DictReader(file)] == [*DECLARED]
    assert {column.kind for column in DECLARED.values()} == columns.DUCKDB.keys() == columns.PANDAS.keys()
    assert {column.form for column in DECLARED.values()} == FORMS.keys()
