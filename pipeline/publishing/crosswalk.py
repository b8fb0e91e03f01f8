"""Our equivalent of each column in Epoch's table, for readers who know that table.

`Ours.place` names columns (of `estimates`, unless it names another table), tables, or a command; it is None if the
ledger has no equivalent.
"""

from typing import NamedTuple


class Ours(NamedTuple):
    """The place of the same quantity in the ledger, and how the quantity differs there."""

    place: str | None
    remark: str = ""


EXAMPLES_SEEN = Ours("examples_seen", "in example_unit, once per epoch; runs.examples has the data set")
NOTES = Ours("facts.text, facts.note")
CROSSWALK: dict[str, Ours] = {
    "Model": Ours("epoch_name", "the same words; model_id is the permanent id, and models.aliases has other names"),
    "Publication date": Ours("published", "a year, month or day; published_date is its middle"),
    "Domain": Ours("domain", "one word from a closed list"),
    "Organization": Ours(
        "organization",
        "organizations.name and .aliases are the spellings; parent_organization is its owner at the time",
    ),
    "Organization categorization": Ours("models.organization_kind", "mixed if there are several"),
    "Organization categorization (from Organization)": Ours("models.organization_kind", "mixed if there are several"),
    "Link": Ours("source_url", "all sources, joined by |, are in sources"),
    "Base model": Ours("base_model", "an id; its total is part of training_flop"),
    "Parameters": Ours("parameters", "active_parameters counts those that one token uses in a mixture of experts"),
    "Parameters notes": NOTES,
    "Training dataset": Ours(None, "only its size"),
    "Training dataset size (datapoints)": EXAMPLES_SEEN,
    "(DEPRECATED) Training dataset size (datapoints)": EXAMPLES_SEEN,
    "Epoch tables": Ours("catalogue_estimates.epoch_tables", "the tables that contained the row before merging"),
    "Training dataset size (total)": EXAMPLES_SEEN,
    "Dataset size notes": NOTES,
    "Epochs": Ours("runs.epochs"),
    "Batch size": Ours("runs.batch", "in example_unit, such as tokens"),
    "Batch size notes": NOTES,
    "Training time (hours)": Ours("allocations.duration_seconds", "in seconds; one row per allocation of chips"),
    "Training time notes": NOTES,
    "Training chip-hours": Ours("chip_hours", "base models included"),
    "Hardware quantity": Ours(
        "chips", "the largest number in any phase; allocations.chips has the number for each allocation"
    ),
    "Training hardware": Ours("hardware", "ids of chips, joined by +"),
    "Numerical format": Ours("precision", "precision_basis states its origin"),
    "Task": Ours(None),
    "Training compute (FLOP)": Ours("training_flop", "calculated by us; we never use Epoch's value"),
    "Training compute notes": Ours("flopledger explain", "each input with its source, each formula with its numbers"),
    "Training compute lower bound": Ours("training_flop_low", "5 % bound"),
    "Training compute upper bound": Ours("training_flop_high", "95 % bound"),
    "Training compute estimation method": Ours("headline_method"),
    "Finetune compute (FLOP)": Ours(
        "operation_estimates, gpu_time_estimates",
        "only phases of the fine-tuned model; its training_flop includes the base",
    ),
    "Hardware utilization (MFU)": Ours("utilization_fraction", "utilization_basis is reported, measured or assumed"),
    "Hardware utilization (HFU)": Ours("reported_utilizations", "with utilization_kind hfu; no estimate uses it"),
    "Confidence": Ours("training_flop_high / training_flop_low", "an interval in place of a word"),
    "Model accessibility": Ours("weights_access", "open, restricted or closed"),
    "Open model weights?": Ours("weights_access", "open, restricted or closed"),
    "Country (of organization)": Ours("country", "by its short name; country_code is the ISO code"),
    "Training compute cost (2023 USD)": Ours("cost_usd", "in nominal dollars; base models included"),
    "Training compute cost (cloud)": Ours("footprints.rent_usd", "in nominal dollars"),
    "Training compute cost (upfront)": Ours("footprints.purchase_usd", "in nominal dollars"),
    "Training power draw (W)": Ours("energy_kwh", "energy in place of power"),
}
