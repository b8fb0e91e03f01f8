"""What every column means, said once: its type, unit, bounds and sentence. Tables in schemas/tables name it and say where it may be null.

To read a meaning imports neither pandas nor pandera; to call a column, as a table does, makes the field of its contract.
"""

from collections.abc import Mapping

from schemas.columns.declared import *
from schemas.columns.estimates import *
from schemas.columns.evaluation import *
from schemas.columns.footprints import *
from schemas.columns.gpu_time import *
from schemas.columns.history import *
from schemas.columns.measurements import *
from schemas.columns.models import *
from schemas.columns.networks import *
from schemas.columns.nulls import *
from schemas.columns.watched import *

# Columns of `estimates` that a reader is shown, by their published names and in this order, each with the places where it is shown: the default
# of `list` (list), comparisons (compare), the site's table of all models (table), a model's page at a glance (page).
SHOWN: Mapping[str, tuple[Column, str]] = {
    "model_id": (model_id, "list"),
    "name": (name, "compare"),
    "organization": (organization, "compare page"),
    "parent_organization": (parent_organization, "compare page"),
    "country": (country, "compare page"),
    "published": (published, "list compare table page"),
    "domain": (domain, "compare table page"),
    "base_model": (base_model, "compare page"),
    "parameters": (known_parameters, "compare table page"),
    "active_parameters": (active_parameters, "compare page"),
    "examples_seen": (total_examples_seen, "compare table page"),
    "example_unit": (main_example_unit, "compare page"),
    "training_flop": (training_flop, "list compare"),
    "training_flop_low": (training_flop_low, "list compare"),
    "training_flop_high": (training_flop_high, "list compare"),
    "hardware": (hardware, "compare table page"),
    "chips": (most_chips, "compare table page"),
    "chip_hours": (chip_hours, "compare page"),
    "utilization_fraction": (utilization_fraction, "compare page"),
    "energy_kwh": (energy_kwh, "compare page"),
    "cost_usd": (cost_usd, "compare page"),
    "confidence": (confidence, "compare page"),
    "evidence_class": (evidence_class, "compare page"),
    "named_second": (named_second, "compare"),
    "gap_ratio": (gap_ratio, "compare"),
    "own_training_flop": (own_training_flop, "compare page"),
    "cumulative_flop": (cumulative_flop, "compare page"),
    "probability_above_1e23_fraction": (probability_above_1e23_fraction, "compare"),
    "probability_above_1e25_fraction": (probability_above_1e25_fraction, "compare"),
    "probability_above_1e26_fraction": (probability_above_1e26_fraction, "compare"),
    "threshold_total": (threshold_total, "compare"),
    "headline_method": (headline_method, "list compare page"),
    "range_low_flop": (range_low_flop, "compare"),
    "range_high_flop": (range_high_flop, "compare"),
    "range_basis": (range_basis, "compare"),
    "operation_count_flop": (operation_count_flop, "compare page"),
    "operation_count_basis": (operation_count_basis, "compare page"),
    "gpu_time_flop": (gpu_time_flop, "compare page"),
    "gpu_time_informed_flop": (gpu_time_informed_flop, "compare page"),
    "reported_flop": (reported_flop, "compare page"),
    "method_ratio": (method_ratio, "compare page"),
    "independence": (independence, "compare page"),
    "is_disputed": (is_disputed, "compare page"),
    "dispute_cause": (dispute_cause, "compare page"),
    "implied_utilization_fraction": (implied_utilization_fraction, "compare page"),
    "utilization_basis": (utilization_basis, "compare page"),
    "precision": (precisions, "compare page"),
    "cost_basis": (cost_basis, "compare page"),
    "co2_kg": (co2_kg, "compare page"),
    "weights_access": (weights_access, "compare table page"),
    "training_evidence": (training_evidence, "compare page"),
    "network_evidence": (network_evidence, "compare page"),
    "imputed_inputs": (imputed_inputs, "compare page"),
}


def shown(place: str) -> list[str]:
    """Published names of the columns that are shown at a place.

    >>> shown("list")
    ['model_id', 'published', 'training_flop', 'training_flop_low', 'training_flop_high', 'headline_method']
    """
    return [name for name, (_, places) in SHOWN.items() if place in places.split()]
