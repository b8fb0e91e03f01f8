"""Rows of `measurements`, `benchmark_runs`, `reported_utilizations` and `rejected_measurements`."""

from pipeline.models.sql import Row
from pipeline.rules.ingestion import columns, source_of
from pipeline.rules.ingestion.architectures import measured_architecture_id, task_architecture_id
from pipeline.rules.utilization.cases import utilization_case
from schemas import vocabulary
from schemas.records import Measurement, MeasurementRow, Records, TableRow
from schemas.spelling import find


def measurements(records: Records) -> list[Row]:
    """Return one row per measured throughput."""
    chips = records.chip_ids()
    return [
        _row(identifier, measurement, row, chips)
        for identifier, measurement in records.measurements.items()
        for row in measurement.rows
    ]


def benchmark_runs(records: Records) -> list[Row]:
    """Return one row per run in a table that belongs to a measurement."""
    chips = records.chip_ids()
    return [
        _run(identifier, records.measurements[identifier], row, chips)
        for identifier, rows in records.table_rows.items()
        if identifier in records.measurements
        for row in rows
    ]


def reported_utilizations(records: Records) -> list[Row]:
    """Return one row per utilization that a source states without a throughput."""
    chips = records.chip_ids()
    return [
        {
            "measurement_id": identifier,
            **columns(row, "row about network precision evidence note", utilization_kind="kind"),
            "hardware_id": find(row.chip, chips) if row.chip else None,
            "stated_utilization_fraction": row.amount,
        }
        for identifier, measurement in records.measurements.items()
        for row in measurement.reported_utilization
    ]


def rejected_measurements(records: Records) -> list[Row]:
    """Return one row per published measurement or run that we do not use, with the reason."""
    return [
        {"measurement_id": identifier, **columns(row, "row note", rejection_reason="reason")}
        for identifier, measurement in {**records.measurements, **records.gold_runs}.items()
        for row in measurement.rejected
    ]


def executed_flop(records: Records) -> list[Row]:
    """Return one row per pass, or part of a pass, whose operations were measured with hardware counters."""
    return [row.model_dump(mode="json") for row in records.executed]


def _row(identifier: str, measurement: Measurement, row: MeasurementRow, chips: dict[str, str]) -> Row:
    return {
        "measurement_id": identifier,
        **columns(row, "row network precision timed is_recomputed is_circular examples_per_second chips batch note"),
        **columns(row, reported_mfu_fraction="reported_mfu", reported_hfu_fraction="reported_hfu"),
        **columns(measurement, "licence", run_kind="run"),
        "architecture_id": measured_architecture_id(identifier, row),
        "utilization_case": utilization_case(row.network),
        "hardware_id": find(row.chip, chips),
        "is_whole_run": row.timed == vocabulary.Timed.RUN and row.architecture not in measurement.architectures,
        "evidence": row.timing.evidence,
        "source": source_of(measurement, row.timing),
    }


def _run(identifier: str, measurement: Measurement, row: TableRow, chips: dict[str, str]) -> Row:
    """Return the row of a measured run. Its network is stated once for its task, which several runs share."""
    task = measurement.tasks[row.task]
    return {
        "measurement_id": identifier,
        **columns(
            row,
            "row submitter division task nodes tensor_parallel pipeline_parallel expert_parallel precision "
            "precision_words precision_place examples_seen run_seconds evaluation_seconds node_watts "
            "repeats repeats_log_sd place chips batch",
            stated_chip="chip",
        ),
        "architecture_id": task_architecture_id(identifier, row.task) if task.architecture else None,
        **columns(task, "network predicts", not_counted_reason="not_counted"),
        "utilization_case": utilization_case(task.network) if task.network else None,
        "hardware_id": find(row.chip, chips) if row.chip else None,
        "run_kind": measurement.run,
    }
