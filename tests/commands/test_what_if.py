"""Estimates with another utilization, precision, number of epochs or chip."""

import csv
import json
import shutil

import pytest

from pipeline.answers import what_if
from pipeline.engines import one_model
from pipeline.publishing import database
from pipeline.stages import flow
from tests.builders import typed


def test_what_if_shows_before_and_after():
    names, *rows = records_of_what_if(typed("estimate", "llama-2-7b", "--utilization", "0.45", "--epochs", "2"))
    assert names == ["quantity", "before", "after", "factor"]
    table = {row[0]: row[1:] for row in rows}
    assert float(table["operation_count_flop"][2]) == pytest.approx(2)
    assert "gpu_time_flop" not in table  # always at the default utilization
    assert float(table["utilization_fraction"][1]) == pytest.approx(0.45)


def records_of_what_if(done):
    assert done.returncode == 0, done.stderr
    return [line.split("\t") for line in done.stdout.splitlines()]


def test_what_if_takes_another_chip_and_format_for_a_file_too(tmp_path):
    shutil.copy(flow.ROOT / "data/records/models/gpt-3.yaml", tmp_path / "mine.yaml")
    done = typed("estimate", "mine.yaml", "--hardware", "A100", "--precision", "bf16", "--json", folder=tmp_path)
    answer = json.loads(done.stdout)
    assert answer["supposed"] == {"precision": "bf16", "hardware": "nvidia-a100-sxm4"}
    # the same chip time at 312e12 instead of 125e12 FLOP/s
    assert answer["after"]["gpu_time_flop"] / answer["before"]["gpu_time_flop"] == pytest.approx(312 / 125)
    assert answer["after"]["reported_flop"] is None


def test_what_the_record_says_of_the_run_as_it_was_is_not_said_of_the_supposed_one():
    connection = database.memory_connection()
    one_model.suppose(connection, "hyenadna", {"utilization": 0.1})
    columns = "dispute_stated_cause, reported_flop from {}models where model_id = 'hyenadna'"
    assert connection.execute(f"select {columns.format('ledger.main.')}").fetchall()[0][0] is not None
    assert connection.execute(f"select {columns.format('')}").fetchall() == [(None, None)]


def supposed(*words):
    done = typed("estimate", *words)
    assert done.returncode == 0, done.stderr
    return {line.split("\t")[0]: line.split("\t")[1:] for line in done.stdout.splitlines()}, done.stderr.splitlines()


def test_what_if_shows_what_differs_and_names_the_rest():
    table, remarks = supposed("alexnet", "--utilization", "0.45")
    assert "operation_count_flop" not in table
    assert all(before != after for before, after, _ in table.values())
    assert table["utilization_fraction"][1] == "0.45"
    assert "operation_count_flop" in remarks[0]
    assert remarks[0].startswith("unchanged: ")
    assert "the headline is the operation count; GPU time can only widen its interval" in remarks
    assert "no precision is stated: fp32 is filled in, because its chips have no other" in remarks


def test_what_if_is_silent_on_gpu_time_where_there_is_none():
    _, remarks = supposed("lenet-5", "--epochs", "2")
    assert not [line for line in remarks if "GPU time" in line or "precision" in line]


def test_the_last_bits_of_a_sum_are_no_change():
    row = dict.fromkeys(what_if.SHOWN)
    before, after = row | {"utilization_fraction": 0.213}, row | {"utilization_fraction": 0.21299999999999997}
    assert list(what_if.lines(before, after)) == []


def test_what_if_with_nothing_changed_is_the_published_row():
    done = typed("estimate", "gpt-3", "--precision", "fp16", "--json")
    answer = json.loads(done.stdout)
    with (flow.ROOT / "data/published/estimates.csv").open(newline="") as file:
        (row,) = [row for row in csv.DictReader(file) if row["model_id"] == "gpt-3"]
    assert answer["after"]["model_id"] == "gpt-3"
    for name in ("operation_count_flop", "gpu_time_flop", "gpu_time_informed_flop", "method_ratio"):
        assert answer["before"][name] == pytest.approx(float(row[name]), rel=1e-5)
        assert answer["after"][name] == answer["before"][name]
