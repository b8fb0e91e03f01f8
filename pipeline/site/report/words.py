"""Phrases for the tables' quantities and rules, in one place. A test finds any that lack a phrase."""

from schemas.vocabulary import Network

DEFAULTS = {  # the quantities in `defaults`
    "utilization": "Utilization: the share of the dense peak that GPU time assumes",
    "backward_ratio": "Backward FLOP per forward FLOP, if the network is not counted",
    "spread": "Standard deviations of the inputs",
    "utilization_spread": "Standard deviation of a utilization stated for the model",
    "uncertainty": "Error of a headline by the evidence behind it, and the share of predicted utilization that whole runs reach",
    "uncertainty_spread": "Standard deviation of figures by analysts and the press",
    "said_to_confirmed": "Figures by analysts and the press / figures that the owner stated later",
    "chip_load": "Energy: power of a server in training, per chip / the chip's design power",
    "facility_overhead": "Energy: power usage effectiveness of the data centre, by owner and first year",
    "cost": "Cost: amortization, and the errors of prices",
    "price_terms": "Cost: factors from other prices to a share of a server, or to an hour with a long commitment",
    "electricity_price": "Cost: electricity, US dollars per kWh by year",
    "price_index": "Cost: price index of hosting by year, for comparisons with 2023 dollars",
    "grid_spread": "Carbon: difference of a data centre's grid from the grid that we use",
    "water_use": "Water: litres per kWh of servers, by owner",
    "catalogue": "Catalogue: probability that the estimate of a row errs grossly",
}
HIDDEN = {  # the facts that imputation_backtests hides
    "peak_by_year": "chip, its precision stated",
    "peak_by_year_before_sixteen_bit": "chip and precision, before July 2020",
    "peak_by_year_large_industry_run": "chip and precision, large runs",
    "peak_by_year_best_sixteen_bit": "chip and precision, since July 2020",
    "peak_of_maker": "chip of a maker that builds its own",
    "precision": "precision of a known chip",
    "utilization_text": "utilization, text",
    "utilization_convolution": "utilization, convolutions",
    "utilization_other": "utilization, others",
    "epochs_assumed": "epochs over text, since 2020",
    "epochs_assumed_early": "epochs over text, before 2020",
    "examples_exact": "examples, one figure",
    "examples_product": "examples, a product",
    "examples_range": "examples, a range",
    "examples_bound": "examples, a bound",
    "examples_table": "examples, from a table by others",
    "examples_analysis": "examples, by an analyst or the press",
    "examples_assumed": "examples, assumed",
    "derived": "operations of a network",
    "reported_forward": "operations stated by authors",
    "reported_operation_count": "authors' total, from operations",
    "reported_gpu_time": "authors' total, from GPU time",
    "reported_unknown": "authors' total, method not stated",
    "operation_count_flop": "total, counted operations",
    "training_flop": "total, the headline",
}
RULES = {
    "before_sixteen_bit": "FP32, before July 2020",
    "large_industry_run": "16 bits, for a large run",
    "best_sixteen_bit": "16 bits, since July 2020",
    "only_format": "its only format",
    "no_fast_16bit": "FP32, no fast 16 bits",
    "year_default": "default peak",
    "year_mean_of_ledger": "mean of the other models in the ledger",
    "year_most_common_of_ledger": "most common chip in the ledger",
    "default": "default, against reports",
    "default_on_measurements": "default, against measurements",
    "default_on_counted_runs": "default, against counted runs",
    "like_measurements": "measurements of similar cases, against reports",
    "like_measurements_on_measurements": "measurements of similar cases, against others",
    "one_pass": "one epoch, 12 before 2020",
    "steps_x_batch": "steps × batch",
    "agreeing_statement": "external estimates that agree",
    "two_a_parameter": "2 FLOP per parameter",
    "counted": "against the operation count",
    "gpu_time_used": "against GPU time",
}
HEADLINES = {
    "gpu_time": "GPU time, against external estimates",
    "operation_count": "operation count, against external estimates",
    "reported": "reported, against external estimates",
    "sum_of_parts": "sum of parts, against external estimates",
}


INPUTS = {  # phrases for the inputs of external estimates
    "all": "all",
    "not same_time": "all that do not share the ledger's time",
    "own": "of their own",
    "same_count": "the ledger's count",
    "same_time": "the ledger's time",
    "same_both": "the ledger's count and time",
    "unknown": "not known",
}
UNCERTAINTIES = {
    "confirmed": "Half-width of a count that the authors' total confirms",
    "stated": "Half-width of a count of a stated network and stated data",
    "weak": "Half-width of any other count, and of the authors' total",
    "whole_run": "Share of the predicted utilization that whole runs reach",
    "gpu_time_up": "Half-width of GPU time upwards",
    "gpu_time_down": "Half-width of GPU time downwards",
}
ABBREVIATED = {"tpu", "cdna"}  # generations of chips


def hidden_fact(quantity: str) -> str:
    """Return the phrase for a fact that imputation_backtests hides."""
    return HIDDEN.get(quantity, quantity.replace("_", " "))


def rule(quantity: str, name: str) -> str:
    """Return the phrase for the rule that imputes a hidden fact, or that a total is compared by."""
    return (HEADLINES if quantity == "training_flop" else RULES).get(name, name.replace("_", " "))


def generation(name: str) -> str:
    """Return a chip generation in its maker's spelling.

    >>> generation("ampere"), generation("tpu")
    ('Ampere', 'TPU')
    """
    return name.upper() if name in ABBREVIATED else name.capitalize()


def network(name: str | None) -> str:
    """Return the phrase for a kind of network; None stands for all kinds."""
    return "all" if name is None else Network(name).words
