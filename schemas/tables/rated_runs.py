"""One row a run of `benchmark_runs` with the utilization that it reached, or why it has none or one that is not used."""

from schemas import columns
from schemas.tables.benchmark_runs import BenchmarkRuns


class RatedRuns(BenchmarkRuns):
    generation = columns.generation(null=columns.NO_WORD)
    peak_flop_per_second = columns.peak_flop_per_second(null=columns.NO_RUN_PEAK)
    forward_flop = columns.forward_flop(null=columns.NOT_COUNTED)
    elementwise_flop = columns.elementwise_flop(null=columns.NOT_COUNTED)
    examples_per_second = columns.examples_per_second(null=columns.NOT_LOGGED)
    measured_utilization_fraction = columns.measured_utilization_fraction(null="See `left_out_reason`.")
    chip_load_ratio = columns.chip_load_ratio(null="No power is logged, or the chip's or their number is not known.")
    default_utilization_fraction = columns.default_utilization_fraction(null=columns.NOT_COUNTED)
    left_out_reason = columns.left_out_reason(null="The utilization is used.")
