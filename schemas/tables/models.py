"""Contract of `models`: one row a model."""

from schemas import fields
from schemas.table import TableModel


class Models(TableModel, grain=("model_id",)):
    """One row a model."""

    model_id: fields.model_id
    name: fields.name
    aliases: fields.aliases | None
    organization: fields.organization
    parent_organization: fields.parent_organization | None
    organization_kind: fields.organization_kind
    published: fields.published
    published_date: fields.published_date
    published_precision: fields.published_precision
    published_year: fields.published_year
    domain: fields.domain
    scope: fields.scope
    scope_note: fields.scope_note | None
    base_model: fields.base_model | None
    parameter_network: fields.parameter_network | None
    parameters: fields.parameters | None
    active_parameters: fields.active_parameters | None
    reported_flop: fields.reported_flop | None
    reported_method: fields.reported_method | None
    reported_convention: fields.reported_convention | None
    is_reported_hardware_flop: fields.is_reported_hardware_flop
    dispute_stated_cause: fields.dispute_stated_cause | None
    dispute_reason: fields.dispute_reason | None
    dispute_sides_with: fields.dispute_sides_with | None
    training_evidence: fields.training_evidence | None
    network_evidence: fields.network_evidence | None
    shared_input: fields.shared_input | None
    has_unread_data: fields.has_unread_data
    chips_ratio: fields.chips_ratio | None
    has_erratum: fields.has_erratum
    is_search_counted: fields.is_search_counted
    has_read_contributions: fields.has_read_contributions
    has_untimed_phase: fields.has_untimed_phase
    hardware: fields.hardware | None
    chips: fields.most_chips | None
    country: fields.country | None
    weights_access: fields.weights_access | None
    source_url: fields.source_url | None
    sources: fields.sources
    epoch_name: fields.epoch_name | None
