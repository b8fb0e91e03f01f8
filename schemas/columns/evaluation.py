"""Columns of back-tests of imputation, and of the spreads of inputs."""

from schemas import vocabulary
from schemas.columns.declared import IDENTIFIER, LOG_SD, NOT_NEGATIVE, PEAK, POSITIVE, SHARE, Column, any_of

# Back-tests of imputation
rule = Column("text", "Rule that imputed the hidden fact, or the other figure it is compared with.")
place = Column(
    "text", "Where in the record the hidden fact stands: total, phase, phase/allocation or external_estimates.id."
)
known_value = Column("number", "The hidden fact, in the unit of its quantity.", checks=POSITIVE)
filled_value = Column("number", "The imputed value, in the same unit.", checks=POSITIVE)
log_error = Column("number", "ln(filled_value / known_value).")
is_in_interval = Column(
    "true or false", "Whether the 90 % interval around filled_value, by the log_sd in use, contains known_value."
)
period = Column("text", "Year of publication of the models, or all.", checks={"str_matches": r"^(all|\d{4})$"})
errors_number = Column("whole number", "Number of hidden facts.", checks=POSITIVE)
median_log_error = Column("number", "Median of |log_error|; 0.69 is a factor of 2.", checks=NOT_NEGATIVE)
log_bias = Column("number", "Median of log_error: below 0 the imputed values are too low.")
error_log_sd = Column(
    "number",
    "Log standard deviation whose 90 % interval contains 90 % of the hidden facts: the 90 % point of |log_error| / 1.645.",
    checks=LOG_SD,
)
share_in_interval_fraction = Column(
    "number", "Share of the hidden facts in the 90 % interval by the log_sd in use.", unit="fraction", checks=SHARE
)
models_number = Column("whole number", "Number of the ledger's models that a figure is computed from.", checks=POSITIVE)
own_mean_peak_flop_per_second = Column(
    "number",
    "Geometric mean of the peaks of the chips of the ledger's own models of a year.",
    unit="flop_per_second",
    checks=PEAK,
)
common_hardware_id = Column("text", "The chip that most of the ledger's models of a year used.", checks=IDENTIFIER)
common_peak_flop_per_second = Column("number", "Its peak.", unit="flop_per_second", checks=PEAK)
common_models_number = Column("whole number", "Number of models of the year that used it.", checks=POSITIVE)

# Standard deviations of the natural logarithms of the inputs
examples_class = Column(
    "text", "How well examples_seen is known, by the evidence of its factors.", checks=any_of(vocabulary.InputClass)
)
steps_class = Column(
    "text", "How well steps x batch are known, by their evidence.", checks=any_of(vocabulary.InputClass)
)
chip_seconds_class = Column(
    "text", "How well the chip time is known, by the evidence of its factors.", checks=any_of(vocabulary.InputClass)
)
examples_bound = Column(
    "text", "Which end examples x epochs are stated as, where it is one alone.", checks=any_of(vocabulary.Bound)
)
steps_bound = Column(
    "text", "Which end steps x batch are stated as, where it is one alone.", checks=any_of(vocabulary.Bound)
)
chip_seconds_bound = Column(
    "text", "Which end the chip time is stated as, where it is one alone.", checks=any_of(vocabulary.Bound)
)
is_bound = Column(
    "true or false",
    "Whether it rests on a figure that its source states as one end alone, such as more than 1e12 tokens.",
)
examples_range_log_sd = Column(
    "number", "Standard deviation of ln (examples x epochs) from stated ranges.", checks=LOG_SD
)
steps_range_log_sd = Column("number", "Standard deviation of ln (steps x batch) from stated ranges.", checks=LOG_SD)
lengths_log_sd = Column(
    "number",
    "Standard deviation of ln of an example's operations from a stated range of its length, counted at both ends.",
    checks=LOG_SD,
)
chip_seconds_range_log_sd = Column("number", "Standard deviation of ln chip time from stated ranges.", checks=LOG_SD)
examples_log_sd = Column(
    "number",
    "Standard deviation of ln examples_seen, and of an example's operations where its length is a range.",
    checks=LOG_SD,
)
chip_seconds_log_sd = Column("number", "Standard deviation of ln chip time.", checks=LOG_SD)
