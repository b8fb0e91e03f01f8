"""The schema of params.yaml: choices that no source determines, one block per stage."""

from typing import Annotated

from pydantic import Field

from schemas.base_model import Strict
from schemas.limits import LAST_YEAR

Ratio = Annotated[float, Field(ge=1, le=100)]
Share = Annotated[float, Field(gt=0, le=1)]
# The date of a release. Later releases on the same date end in .2 to .9, so that sorting as text gives their order.
VERSION = r"\d{4}-\d\d-\d\d(\.[2-9])?"


class Ingest(Strict):
    """Choices for the ingest stage."""

    fast_16bit_ratio: Ratio


class Impute(Strict):
    """Choices for the impute stage."""

    large_run_chip_days: Annotated[float, Field(gt=0)]
    large_run_first_year: Annotated[int, Field(ge=1990, le=LAST_YEAR)]
    sixteen_bit_since: Annotated[str, Field(pattern=r"^\d{4}-\d{2}$")]
    early_passes: Annotated[int, Field(ge=1, le=100)]
    one_pass_first_year: Annotated[int, Field(ge=1990, le=LAST_YEAR)]
    examples_tolerance: Ratio


class Reconcile(Strict):
    """Choices for the reconcile stage."""

    dispute_ratio: Ratio
    confirmed_ratio: Ratio
    confident_off_by_two: Share
    rough_off_by_two: Share
    implausible_utilization: Share
    min_dense_utilization: Share


Size = Annotated[float, Field(ge=0, le=5)]


class Calibrate(Strict):
    """Choices for the calibrate stage: standard deviations of effects on ln utilization."""

    intercept_sd: Size
    network_sd: Size
    units_sd: Size
    generation_sd: Size
    precision_sd: Size
    chip_sd: Size
    run_sd: Size
    peak_slope_sd: Size
    chips_slope_sd: Size
    intensity_slope_sd: Size
    flop_per_step_slope_sd: Size
    source_sd: Size
    residual_sd: Annotated[float, Field(gt=0, le=5)]


class Check(Strict):
    """Choices for the check stage."""

    near_ratio: Ratio
    same_reading_ratio: Ratio


class Publish(Strict):
    """Choices for the publish stage."""

    significant_digits: Annotated[int, Field(ge=3, le=15)]
    version: Annotated[str, Field(pattern=f"^{VERSION}$")]


class Params(Strict):
    """The contents of params.yaml."""

    ingest: Ingest
    impute: Impute
    calibrate: Calibrate
    reconcile: Reconcile
    check: Check
    publish: Publish
