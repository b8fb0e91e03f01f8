"""The account of a model: everything that commands, pages and JSON show about it. The site publishes its JSON schema.

An account also has every column of `estimates`, by its published name. FLOP are floats, a multiply-add counts as two,
and null means unknown.
"""

from typing_extensions import TypedDict  # required by pydantic before Python 3.12

VERSION = 2  # version of the structure; raised when a key is removed or changes its meaning


class Quote(TypedDict):
    """Words from a source, an id in `publications`.

    `place` is in the source, `found_at` is the copy that we read, and `read_in` the kind of copy.
    """

    text: str
    source: str
    place: str | None
    read_in: str | None
    found_at: str | None


class StatedFact(TypedDict):
    """A fact in the record: its name, its value as written, and the words that support it.

    A fact without quotes has a `source`, an id in `publications`; otherwise each quote has one.
    """

    path: str
    label: str
    value: str
    unit: str | None
    bound: str | None
    evidence: str
    status: str
    worked_out: str | None
    assumption_reasons: str | None
    unused: str | None
    note: str | None
    via: str | None
    inherited_from: str | None
    source: str | None
    quotes: list[Quote]


class Facts(TypedDict):
    """Facts grouped by what they describe."""

    data: list[StatedFact]
    machine: list[StatedFact]
    network: list[StatedFact]
    other: list[StatedFact]


class Phase(TypedDict):
    """A phase of training and its operation count: (forward + backward) x examples."""

    phase: str
    accounting: str | None
    example_unit: str
    examples: float | None
    epochs: float | None
    examples_seen: float | None
    examples_seen_basis: str | None
    examples_class: str | None
    examples_bound: str | None
    is_examples_inconsistent: bool | None
    framework: str | None
    stated_utilization_fraction: float | None
    counted_parameters: float | None
    counted_forward_flop: float | None
    counted_backward_flop: float | None
    passes_per_example: float | None
    forward_flop_per_example: float | None
    backward_flop_per_example: float | None
    operation_count_basis: str | None
    operation_count_flop: float | None


class PeakWords(TypedDict):
    """The source of a chip's peak, and its words."""

    title: str | None
    url: str | None
    text: str | None


class Allocation(TypedDict):
    """Chips of a phase, their GPU time (chip-seconds x peak x utilization) and their energy.

    If no source states the days, we compute chip-hours / 24 / chips (`is_days_worked_out`). `stated_…` is the range or
    bound that the source states, or null for a single value. For a range, the number is its middle.
    """

    phase: str
    allocation: int
    hardware_id: str | None
    hardware: str | None
    hardware_basis: str | None
    chips: float | None
    stated_chips: str | None
    days: float | None
    is_days_worked_out: bool
    stated_duration: str | None
    chip_hours: float | None
    stated_chip_time: str | None
    chip_seconds: float | None
    chip_seconds_basis: str | None
    chip_seconds_class: str | None
    chip_seconds_bound: str | None
    is_from_operations: bool
    precision: str | None
    precision_basis: str | None
    precision_rule: str | None
    peak_flop_per_second: float | None
    peak_words: PeakWords | None
    default_utilization_fraction: float | None
    utilization_fraction: float | None
    utilization_basis: str | None
    gpu_time_flop: float | None
    gpu_time_informed_flop: float | None
    energy_kwh: float | None
    power_watts: float | None
    chip_load_ratio: float | None
    chip_load_case: str | None
    facility_overhead_ratio: float | None
    facility_overhead_basis: str | None
    began_date: str | None
    server_usd: float | None
    rent_per_hour_usd: float | None
    nearest_price_date: str | None
    prices_number: int | None
    electricity_usd: float | None
    amortized_usd: float | None
    purchase_usd: float | None
    rent_usd: float | None
    cost_usd: float | None
    cost_basis: str | None
    grid_place: str | None
    grid_basis: str | None
    grid_year: int | None
    grid_g_per_kwh: float | None
    co2_kg: float | None
    water_litres: float | None


class Contribution(TypedDict):
    """Compute that the result depends on, other than the training of the model and its base models."""

    accounting: str
    model_id: str | None
    name: str | None
    flop: float | None
    evidence: str
    text: str | None
    note: str | None


class Part(TypedDict):
    """A model whose training the number includes: first the model itself, then its base models."""

    model_id: str
    name: str
    training_flop: float | None
    own_training_flop: float | None
    operation_count_flop: float | None
    gpu_time_flop: float | None
    gpu_time_informed_flop: float | None
    gpu_time_used_flop: float | None
    gpu_time_used_reason: str | None
    reported_flop: float | None
    reported_unused_reason: str | None
    evidence_class: str | None
    weak_reason: str | None
    chip_seconds_class: str | None
    stated_by: str | None
    phases: list[Phase]
    allocations: list[Allocation]
    contributions: list[Contribution]


class Answer(TypedDict):
    """The lines of one screen, one per key and in this order; null if a line does not apply."""

    title: str
    number: str
    base: str | None
    counted: str | None
    gpu_time: str | None
    methods: str | None
    others: str | None
    thresholds: str | None
    footprint: str | None
    covers: str | None
    sure: str | None
    why: str | None
    not_found: str | None
    cut: str | None


class Dispute(TypedDict):
    """The cause of a difference between the two methods that exceeds the dispute ratio."""

    cause: str
    sentence: str


class OtherEstimate(TypedDict):
    """Someone else's figure for training compute, their interval and confidence. `times_ours` is theirs / ours."""

    external_estimate_id: str
    flop: float
    bound: str | None
    low: float | None
    high: float | None
    confidence: str | None
    times_ours: float | None
    verdict: str | None
    outcome: str
    method: str | None
    inputs: str
    note: str | None
    text: str | None
    place: str | None
    title: str | None
    url: str | None
    year: int | None


class ThresholdChance(TypedDict):
    """A legal threshold, and the probability that the model exceeds it."""

    flop: float
    word: str
    probability_above_fraction: float | None
    meaning: str
    text: str


class Missing(TypedDict):
    """An unknown fact, the sources that we searched for it, and what would settle it."""

    fact: str
    label: str
    looked_in: str | None
    would_settle: str | None


class Publication(TypedDict):
    """A publication that the record names."""

    source: str
    title: str
    url: str | None
    kind: str | None
    year: int | None


class Erratum(TypedDict):
    """An error in a published figure."""

    figure: str
    published_figure: float
    corrected_figure: float
    factors: str
    explanation: str


class NamedModel(TypedDict):
    """Another model in the ledger."""

    model_id: str
    name: str


class CatalogueRow(TypedDict):
    """A model without a record: Epoch's row, the rules that parsed it and, if it has no number, the reason."""

    source_row: int
    epoch_tables: str
    read_on: str | None  # the date of the oldest snapshot
    rules: str | None
    unread_cells: str | None
    no_estimate_reason: str | None
    base_training_flop: float | None
    training_flop_at_least: float | None


class Asked(TypedDict):
    """The name that a user gave, its relation to the model (same, variant, quantization or mode) and a remark.

    It is null if the user gave a file.
    """

    name: str
    relation: str
    remark: str | None


class Cite(TypedDict):
    """A citation of the number; `version` is the release, named by its date."""

    text: str
    version: str
    url: str | None


class Account(TypedDict):
    """A model's account; its keys are grouped."""

    account_version: int
    asked: Asked | None
    aliases: list[str]
    scope_note: str | None
    note: str | None
    answer: Answer
    dispute: Dispute | None
    parts: list[Part]
    base_of: list[NamedModel]
    others: list[OtherEstimate]
    thresholds: list[ThresholdChance]
    missing: list[Missing]
    facts: Facts
    publications: list[Publication]
    errata: list[Erratum]
    cite: Cite | None
    catalogue_row: CatalogueRow | None
