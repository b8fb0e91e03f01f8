"""Utilization predicted from measurements: by hand where possible, and properties that always hold."""

import math
from dataclasses import asdict, dataclass, fields, replace

import duckdb
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.models import sql
from pipeline.rules.utilization import gaussian_process, predictions
from pipeline.rules.utilization.gaussian_process import Band, Measured
from schemas.params import Calibrate

NOTHING = dict.fromkeys(Calibrate.model_fields, 0.0)


@dataclass(frozen=True)
class Traits:
    network: str
    precision: str
    generation: str | None
    hardware_id: str | None
    peak_flop_per_second: float
    chips: float | None
    run_kind: str
    default_utilization_fraction: float
    intensity: float | None = None
    work_flop: float | None = None


KEYS = {"model_id": "varchar", "phase": "varchar", "allocation": "bigint"}
KNOWN = {"measurement_id": "bigint", "row": "varchar", "measurement_source": "varchar",
         "measured_utilization_fraction": "double"}  # fmt: skip
TRAITS = {each.name: "varchar" if "str" in str(each.type) else "double" for each in fields(Traits)}


def connection_of(measured, cases, sizes):
    """Return a connection with the rules' tables of these measurements and of the wanted cases."""
    connection = duckdb.connect(config={"threads": 1})
    connection.execute(sql.macros())
    sql.set_params(connection, {"calibrate": sizes.model_dump()})
    known = [
        {"measurement_id": place, "row": "r", "measurement_source": each.source, **asdict(each.case),
         "measured_utilization_fraction": each.utilization_fraction} for place, each in enumerate(measured)
    ]  # fmt: skip
    sql.create(connection, "measured_cases", known, KNOWN | TRAITS)
    asked = [{"model_id": "m", "phase": "p", "allocation": place, **asdict(each)} for place, each in enumerate(cases)]
    sql.create(connection, "asked_cases", asked, KEYS | TRAITS)
    return connection


def predicted(measured, cases, sizes):
    """Return the bands of these cases, fitted in Python and predicted in SQL."""
    with connection_of(measured, cases, sizes) as connection:
        sql.run(connection, ["utilizations"], ["measured_cases", "asked_cases"])
        query = "select utilization_middle_fraction, utilization_log_sd from utilizations order by allocation"
        return [Band(*row) for row in connection.execute(query).fetchall()]


CASE = Traits("dense_convolution", "fp16", "volta", "a-chip", 1e14, 8, "benchmark", 0.4)


def sizes(**some):
    return Calibrate(**{**NOTHING, "residual_sd": 0.3, **some})


def test_without_measurements_the_default_stands_with_all_the_width_there_is():
    (band,) = predicted([], [CASE], sizes(intercept_sd=0.5, network_sd=0.3, source_sd=0.2))
    assert band.median == pytest.approx(0.4)
    assert band.log_sd == pytest.approx(math.sqrt(0.5**2 + 0.3**2 + 0.2**2 + 0.3**2))


def test_one_measurement_pulls_by_its_share_of_the_variance():
    """Normal prior 0.6, noise 0.3: the posterior mean is 0.36 / (0.36 + 0.09) = 0.8 of the way, as in textbooks."""
    measured = [Measured(CASE, "source", 0.1)]
    (band,) = predicted(measured, [CASE], sizes(network_sd=0.6))
    assert math.log(band.median) == pytest.approx(0.2 * math.log(0.4) + 0.8 * math.log(0.1))
    assert band.log_sd == pytest.approx(math.sqrt(0.36 - 0.36**2 / 0.45 + 0.09))


def test_a_slope_is_learnt_and_carried_on():
    """Utilization falls as 1 / sqrt(peak): between the two measured peaks, the median is on that line."""
    measured = [
        Measured(
            replace(CASE, peak_flop_per_second=peak, hardware_id=str(peak)), str(peak), 0.4 * math.sqrt(1e14 / peak)
        )
        for peak in (1e13, 1e15)
    ]
    wide = sizes(peak_slope_sd=5.0, intercept_sd=5.0, residual_sd=1e-3)
    (band,) = predicted(measured, [replace(CASE, peak_flop_per_second=4e14, hardware_id="new")], wide)
    assert band.median == pytest.approx(0.4 / 2, rel=1e-3)


def test_one_large_table_does_not_drown_the_others():
    """Each source has its own effect: given 200 rows of one at 0.1 and three single rows at 0.4, 0.4 is nearer."""
    large = [Measured(CASE, "large", 0.1)] * 200
    others = [Measured(CASE, name, 0.4) for name in ("first", "second", "third")]
    (band,) = predicted(large + others, [CASE], sizes(network_sd=1.0, source_sd=0.5))
    assert math.log(band.median) > (math.log(0.1) + math.log(0.4)) / 2


@pytest.mark.parametrize("other", ["recurrent", "language_transformer"])
def test_more_measurements_never_widen_and_a_closer_case_moves_more(other):
    some, far = sizes(intercept_sd=0.3, network_sd=0.5, source_sd=0.2), replace(CASE, network=other)
    before = predicted([], [CASE, far], some)
    for found in (0.01, 0.2, 0.4, 0.5, 1.0):
        near_band, far_band = predicted([Measured(CASE, "source", found)], [CASE, far], some)
        assert near_band.log_sd <= far_band.log_sd <= before[1].log_sd
        assert abs(math.log(near_band.median / 0.4)) >= abs(math.log(far_band.median / 0.4)) - 1e-9


def test_an_unknown_generation_is_like_no_other():
    some = sizes(generation_sd=0.5)
    unknown = replace(CASE, generation=None)
    (band,) = predicted([Measured(unknown, "source", 0.1)], [unknown], some)
    assert band.median == pytest.approx(0.4)


ALL = Calibrate(**{name: 0.1 + place / 20 for place, name in enumerate(Calibrate.model_fields)})
UNKNOWN = st.none()
CASES = st.builds(
    Traits,
    network=st.sampled_from(["recurrent", "dense_convolution"]),
    precision=st.sampled_from(["fp32", "fp16"]),
    generation=st.sampled_from(["volta", "ampere"]) | UNKNOWN,
    hardware_id=st.sampled_from(["v100", "a100"]) | UNKNOWN,
    peak_flop_per_second=st.sampled_from([1e13, 3e14]),
    chips=st.sampled_from([1.0, 64.0]) | UNKNOWN,
    run_kind=st.sampled_from(["benchmark", "script"]),
    default_utilization_fraction=st.sampled_from([0.3, 0.4]),
    intensity=st.sampled_from([10.0, 400.0]) | UNKNOWN,
    work_flop=st.sampled_from([1e12, 5e14]) | UNKNOWN,
)
MEASURED = st.lists(st.builds(Measured, CASES, st.sampled_from("abc"), st.floats(0.05, 0.9)), min_size=1, max_size=8)
SLOPES = {
    "chips": ALL.chips_slope_sd, "intensity": ALL.intensity_slope_sd, "work_flop": ALL.flop_per_step_slope_sd
}  # fmt: skip


def by_equations(measured, case):
    """Return mean and standard deviation of ln utilization by Rasmussen & Williams (2006), equations 2.25 and 2.26."""

    def distance(case, trait):
        logs = [math.log(getattr(e.case, trait)) for e in measured if getattr(e.case, trait) is not None]
        own = [
            math.log(getattr(e.case, trait))
            for e in measured
            if getattr(e.case, trait) is not None and e.case.network == case.network
        ] or logs
        value = getattr(case, trait)
        return 0.0 if value is None else math.log(value) - (sum(own) / len(own) if own else 0.0)

    def covariance(a, b):
        network, precision = a.network == b.network, a.precision == b.precision
        unit = network and (a.precision == "fp32") == (b.precision == "fp32")
        generation = a.generation is not None and a.generation == b.generation
        chip = a.hardware_id is not None and a.hardware_id == b.hardware_id
        peaks = math.log(a.peak_flop_per_second / 1e14) * math.log(b.peak_flop_per_second / 1e14)
        effects = [
            (ALL.intercept_sd, True), (ALL.network_sd, network), (ALL.units_sd, unit), (ALL.generation_sd, generation and precision),
            (ALL.precision_sd, network and precision), (ALL.chip_sd, network and precision and chip),
            (ALL.run_sd, a.run_kind == b.run_kind), (ALL.peak_slope_sd, unit * peaks),
            *((sd, network * distance(a, trait) * distance(b, trait)) for trait, sd in SLOPES.items()),
        ]  # fmt: skip
        return sum(sd**2 * shared for sd, shared in effects)

    known = np.array(
        [[covariance(a.case, b.case) + ALL.source_sd**2 * (a.source == b.source) for b in measured] for a in measured]
    )
    inverse = np.linalg.inv(known.reshape(len(measured), len(measured)) + ALL.residual_sd**2 * np.eye(len(measured)))
    shared = np.array([covariance(case, each.case) for each in measured])
    found = np.array(
        [math.log(each.utilization_fraction / each.case.default_utilization_fraction) for each in measured]
    )
    variance = covariance(case, case) - shared @ inverse @ shared + ALL.source_sd**2 + ALL.residual_sd**2
    median = math.log(case.default_utilization_fraction) + shared @ inverse @ found
    return min(median, 0), math.sqrt(variance)  # a utilization is at most 1


@given(measured=MEASURED, cases=st.lists(CASES, min_size=1, max_size=3))
@settings(max_examples=30, deadline=None)
def test_bands_are_those_of_the_textbook_equations(measured, cases):
    for case, band in zip(cases, predicted(measured, cases, ALL), strict=True):
        assert (math.log(band.median), band.log_sd) == pytest.approx(by_equations(measured, case), abs=1e-7)


@given(measured=MEASURED)
@settings(max_examples=8, deadline=None)
def test_a_source_left_out_is_predicted_as_if_it_had_never_been_there(measured):
    with connection_of(measured, [], ALL) as connection:
        known = predictions.with_effects(connection, "measured_cases", ["measurement_id"])
        bands = gaussian_process.bands_left_out(predictions.measured_of(known), ALL)
    for source in {each.source for each in measured}:
        own = [(each.case, band) for each, band in zip(measured, bands, strict=True) if each.source == source]
        others = [other for other in measured if other.source != source]
        for (_, band), alone in zip(own, predicted(others, [case for case, _ in own], ALL), strict=True):
            median = min(band.median, 1)  # SQL limits utilizations to 1
            assert (math.log(median), band.log_sd) == pytest.approx((math.log(alone.median), alone.log_sd), abs=1e-7)


def test_a_source_never_predicts_itself():
    """Two sources of one family predict each other; a family measured by only one source keeps its default."""
    other = replace(CASE, network="recurrent", default_utilization_fraction=0.3)
    measured = [Measured(CASE, "one", 0.1), Measured(CASE, "two", 0.2), Measured(other, "three", 0.05)]
    with connection_of(measured, [], sizes(network_sd=0.6)) as connection:
        predictions.make_of_measurements(connection)
        one, two, three = sql.rows(connection.table("utilization_backtests"), ["measurement_id"])
    # a weight of 0.36 / (0.36 + 0.09) = 0.8 on the other source's logarithm
    assert one["utilization_middle_fraction"] == pytest.approx(0.4 * (0.2 / 0.4) ** 0.8)
    assert two["utilization_middle_fraction"] == pytest.approx(0.4 * (0.1 / 0.4) ** 0.8)
    assert three["utilization_middle_fraction"] == pytest.approx(0.3)
    assert three["default_utilization_fraction"] == 0.3
    assert "chips" not in one
