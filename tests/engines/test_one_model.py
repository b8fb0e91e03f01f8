"""Rows of one model in front of the ledger's tables: the same tables and estimates as from the stages."""

import pytest

from pipeline.base.paths import RECORDS
from pipeline.engines import one_model
from pipeline.publishing import database
from pipeline.publishing.rows import rows
from pipeline.records import run_record
from pipeline.records.yaml_text import RecordError

pytestmark = pytest.mark.usefixtures("published_database")


def same(row):
    return {name: pytest.approx(value, rel=1e-12) if isinstance(value, float) else value for name, value in row.items()}


def laid(record):
    connection = database.memory_connection()
    one_model.add_record(connection, record, record.stem, one_model.ledger_records(connection, record.stem))
    return connection


# A base model, a teacher that contributed, an erratum, several phases, unknown chips
@pytest.mark.parametrize("model", ["flan-palm-540b", "distilbert", "electra-large", "deepseek-v3", "gpt-4"])
def test_a_record_of_the_ledger_has_the_rows_and_the_estimate_of_the_ledger(model):
    connection = laid(RECORDS / "models" / f"{model}.yaml")
    with database.reading() as book:
        for name in (*one_model.MODEL, "estimates", "gpu_time_estimates", "sentences"):
            key = one_model.MODEL.get(name, "model_id")
            query = f"from {name} where {key} = $1 order by all"
            assert rows(connection, query, model) == [same(row) for row in rows(book, query, model)], name


def test_a_model_that_rests_on_another_has_what_that_one_took():
    with database.reading() as book:
        ((model, flop),) = book.execute(
            """select e.model_id, cumulative_flop from estimates e join contributions using (model_id)
            where contributor_id is not null and cumulative_flop > e.training_flop order by all limit 1"""
        ).fetchall()
    connection = laid(RECORDS / "models" / f"{model}.yaml")
    assert rows(connection, "select cumulative_flop from estimates where model_id = $1", model) == [
        {"cumulative_flop": pytest.approx(flop)}
    ]


def test_what_is_supposed_is_of_this_model_alone():
    connection = database.memory_connection()
    one_model.suppose(connection, "flan-palm-540b", {"utilization": 0.5})
    query = "select distinct model_id, utilization_fraction from gpu_time_estimates"
    with database.reading() as book:
        stated = dict(book.execute(query).fetchall())
    assert dict(connection.execute(query).fetchall()) == {"flan-palm-540b": 0.5, "palm-540b": stated["palm-540b"]}
    assert stated["flan-palm-540b"] != 0.5


def test_a_model_newer_than_the_ledger_has_a_usual_peak():
    """Peaks of unknown chips grow over the years; the ledger's table ends with its newest model."""
    flop = {}
    for year in ("2024", "2035"):
        connection = database.memory_connection()
        names = one_model.ledger_records(connection)
        record = run_record.model_from_figures({"chips": 8, "days": 1, "published": year}, names).record
        one_model.add_record(connection, record, "mine", names)
        ((flop[year],),) = connection.execute("select training_flop from estimates where model_id = 'mine'").fetchall()
    assert flop["2035"] > 2 * flop["2024"]


def test_a_chip_whose_record_is_newer_than_the_ledger_is_called_so(tmp_path, monkeypatch):
    record = (RECORDS / "models/gpt-3.yaml").read_text()
    (tmp_path / "mine.yaml").write_text(record.replace("nvidia-v100-sxm2", "acme-one"))
    (tmp_path / "hardware").mkdir()
    (tmp_path / "hardware/acme-one.yaml").write_text("")
    for records, message in (
        (RECORDS, "is not a chip in the ledger"),
        (tmp_path, "is not in the ledger yet: run `make repro`"),
    ):
        monkeypatch.setattr(one_model, "RECORDS", records)
        with pytest.raises(RecordError, match=f"'acme-one' .*{message}"):
            laid(tmp_path / "mine.yaml")
