"""The rules under the DuckDB that the site ships to browsers: the ledger's tables, bit for bit.

`make browser-duckdb-test` runs this. The normal tests skip it, because it needs that DuckDB in its own venv; without
the venv it fails.
"""

import json
import re
import subprocess

import duckdb
import pytest

from pipeline.base.paths import ROOT, table_file
from pipeline.engines import relations
from pipeline.models import sql
from pipeline.records import params
from pipeline.site import packing

VENV = ROOT / ".venv-browser-duckdb"
RULES = """
import json, sys
import duckdb
from pipeline.models import sql
given, choices, results, folder = json.loads(sys.argv[1])
connection = duckdb.connect()
for name, file in given.items():
    connection.execute(f"create table {name} as from '{file}'")
sql.set_params(connection, choices)
sql.run(connection, results, given)
for name in results:
    connection.execute(f"copy {name} to '{folder}/{name}.parquet'")
print(duckdb.__version__)
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Return the folder of the tables that the browser's DuckDB made, and its version."""
    folder = tmp_path_factory.mktemp("made")
    names = sql.inputs(relations.RESULTS, (*relations.EMPTY, "utilization_model")) - {"params"}
    given = {name: str(table_file(name)) for name in sorted(names)}
    words = json.dumps([given, params.load().model_dump(), relations.RESULTS, str(folder)])
    argv = [VENV / "bin/python", "-c", RULES, words]
    ran = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return folder, ran.stdout.strip()


def test_it_is_the_version_that_the_site_has(run):
    text = (ROOT / "pipeline/site/packing.py").read_text()
    version, duckdb_version = re.search(r"# (\S+) contains DuckDB (\d+\.\d+\.\d+)", text).groups()
    assert (version, duckdb_version) == (packing.DUCKDB.version, run[1])


@pytest.mark.parametrize("name", relations.RESULTS)
def test_every_table_is_the_ledgers_to_the_last_bit(name, run):
    order = ", ".join(relations.declared(name)[2])
    made, ledgers = (
        duckdb.read_parquet(str(file)).order(order) for file in (run[0] / f"{name}.parquet", table_file(name))
    )
    assert made.to_arrow_table().equals(ledgers.to_arrow_table())
    assert ledgers.shape[0] > 40
