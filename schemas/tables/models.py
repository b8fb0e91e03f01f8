"""Contract of `models`: one row a model."""

from schemas import columns
from schemas.contract import Contract


class Models(Contract):
    """One row a model."""

    model_id = columns.model_id()
    name = columns.name()
    aliases = columns.aliases(null=columns.NONE_KNOWN)
    organization = columns.organization()
    parent_organization = columns.parent_organization(null=columns.NO_ORGANIZATION)
    organization_kind = columns.organization_kind()
    published = columns.published()
    published_date = columns.published_date()
    published_precision = columns.published_precision()
    published_year = columns.published_year()
    domain = columns.domain()
    scope = columns.scope()
    scope_note = columns.scope_note(null="The record covers one network, and nothing needs to be said of it.")
    note = columns.note(null=columns.NONE_KNOWN)
    base_model = columns.base_model(null=columns.NO_BASE)
    parameter_network = columns.parameter_network(null="The record does not say that each parameter is used once.")
    parameters = columns.parameters(null=columns.NOT_STATED)
    active_parameters = columns.active_parameters(null=columns.NOT_STATED)
    reported_flop = columns.reported_flop(null=columns.NOT_REPORTED)
    reported_method = columns.reported_method(null=columns.NOT_REPORTED)
    reported_convention = columns.reported_convention(
        null="The authors do not report it, or their words were not read for it."
    )
    is_reported_hardware_flop = columns.is_reported_hardware_flop()
    dispute_stated_cause = columns.dispute_stated_cause(null=columns.RECORD_SAYS_NOTHING)
    dispute_reason = columns.dispute_reason(null=columns.RECORD_SAYS_NOTHING)
    dispute_sides_with = columns.dispute_sides_with(null=columns.RECORD_SAYS_NOTHING)
    stated_by = columns.stated_by(null="Its makers state some of it, or no source is known.")
    training_evidence = columns.training_evidence(null=columns.NO_TRAINING_FACTS)
    network_evidence = columns.network_evidence(null=columns.NO_NETWORK_FACTS)
    shared_input = columns.shared_input(null=columns.WHERE_NONE)
    chips_ratio = columns.chips_ratio(null="Where none is a range.")
    has_erratum = columns.has_erratum()
    is_search_counted = columns.is_search_counted()
    has_read_contributions = columns.has_read_contributions()
    has_untimed_phase = columns.has_untimed_phase()
    reported_energy_kwh = columns.reported_energy_kwh(null=columns.NOT_REPORTED)
    reported_co2_kg = columns.reported_co2_kg(null=columns.NOT_REPORTED)
    trained_in = columns.trained_in(null=columns.NOT_STATED)
    hardware = columns.hardware(null=columns.WHERE_NOT_STATED)
    chips = columns.most_chips(null=columns.NOT_STATED)
    country = columns.country(null=columns.NO_COUNTRY)
    weights_access = columns.weights_access(null=columns.RECORD_SAYS_NOTHING)
    source_url = columns.source_url(null=columns.NO_OWN_URL)
    sources = columns.sources()
    epoch_name = columns.epoch_name(null=columns.NO_EPOCH_ROW)

    class Config:
        unique = ["model_id"]
