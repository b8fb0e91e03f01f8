"""Columns of back-tests of imputation, and of the spreads of inputs."""

from schemas import vocabulary
from schemas.columns.declared import (
    NOT_NEGATIVE,
    Column,
    count,
    deviation,
    flag,
    identifier,
    one_of,
    peak,
    positive,
    share,
)

# Back-tests of imputation
rule = Column("text", "Rule that imputed the hidden fact, or the other figure it is compared with.")
place = Column(
    "text", "Where in the record the hidden fact stands: total, phase, phase/allocation or external_estimates.id."
)
known_value = positive("The hidden fact, in the unit of its quantity.")
filled_value = positive("The imputed value, in the same unit.")
log_error = Column("number", "ln(filled_value / known_value).")
is_in_interval = flag("Whether the 90 % interval around filled_value, by the log_sd in use, contains known_value.")
period = Column("text", "Year of publication of the models, or all.", checks={"str_matches": r"^(all|\d{4})$"})
errors_number = count("Number of hidden facts.")
median_log_error = Column("number", "Median of |log_error|; 0.69 is a factor of 2.", checks=NOT_NEGATIVE)
log_bias = Column("number", "Median of log_error: below 0 the imputed values are too low.")
error_log_sd = deviation(
    "Log standard deviation whose 90 % interval contains 90 % of the hidden facts: the 90 % point of |log_error| / 1.645."
)
share_in_interval_fraction = share("Share of the hidden facts in the 90 % interval by the log_sd in use.")
models_number = count("Number of the ledger's models that a figure is computed from.")
own_mean_peak_flop_per_second = peak("Geometric mean of the peaks of the chips of the ledger's own models of a year.")
common_hardware_id = identifier("The chip that most of the ledger's models of a year used.")
common_peak_flop_per_second = peak("Its peak.")
common_models_number = count("Number of models of the year that used it.")

# Standard deviations of the natural logarithms of the inputs
examples_class = one_of(vocabulary.InputClass, "How well examples_seen is known, by the evidence of its factors.")
steps_class = one_of(vocabulary.InputClass, "How well steps x batch are known, by their evidence.")
chip_seconds_class = one_of(vocabulary.InputClass, "How well the chip time is known, by the evidence of its factors.")
examples_bound = one_of(vocabulary.Bound, "Which end examples x epochs are stated as, where it is one alone.")
steps_bound = one_of(vocabulary.Bound, "Which end steps x batch are stated as, where it is one alone.")
chip_seconds_bound = one_of(vocabulary.Bound, "Which end the chip time is stated as, where it is one alone.")
is_bound = flag("Whether it rests on a figure that its source states as one end alone, such as more than 1e12 tokens.")
examples_range_log_sd = deviation("Standard deviation of ln (examples x epochs) from stated ranges.")
steps_range_log_sd = deviation("Standard deviation of ln (steps x batch) from stated ranges.")
lengths_log_sd = deviation(
    "Standard deviation of ln of an example's operations from a stated range of its length, counted at both ends."
)
chip_seconds_range_log_sd = deviation("Standard deviation of ln chip time from stated ranges.")
examples_log_sd = deviation(
    "Standard deviation of ln examples_seen, and of an example's operations where its length is a range."
)
chip_seconds_log_sd = deviation("Standard deviation of ln chip time.")
