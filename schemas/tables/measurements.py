"""Contract of `measurements`: one row a measured throughput."""

from schemas import fields
from schemas.table import TableModel


class Measurements(TableModel, grain=("measurement_id", "row")):
    """One row a measured throughput."""

    measurement_id: fields.measurement_id
    row: fields.row
    architecture_id: fields.architecture_id
    network: fields.network
    hardware_id: fields.hardware_id
    chips: fields.chips
    precision: fields.precision
    batch: fields.batch | None
    timed: fields.timed
    run_kind: fields.run_kind
    is_whole_run: fields.is_whole_run
    is_recomputed: fields.is_recomputed
    is_circular: fields.is_circular
    examples_per_second: fields.examples_per_second
    reported_mfu_fraction: fields.reported_mfu_fraction | None
    reported_hfu_fraction: fields.reported_hfu_fraction | None
    evidence: fields.evidence
    source: fields.source
    licence: fields.licence
    note: fields.note | None
