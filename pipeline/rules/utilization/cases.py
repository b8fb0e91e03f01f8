"""The case that selects a run's default utilization, for records, measurements, back-tests and commands."""

from schemas.vocabulary import TEXT_UNITS, Network, UtilizationCase

CONVOLUTIONS = (Network.DENSE_CONVOLUTION, Network.DEPTHWISE_CONVOLUTION)
TEXT_NETWORKS = (Network.LANGUAGE_TRANSFORMER, Network.RECURRENT)


def utilization_case(network: str | None, example_unit: str | None = None) -> UtilizationCase:
    """Return the case for a network family and the unit of its examples.

    A measurement states no unit, so its family decides: recurrent networks are assumed to read text, as all recurrent
    runs in the ledger do.

    >>> utilization_case("recurrent", "sentence_pair").value, utilization_case("recurrent", "second_of_audio").value
    ('text', 'other')
    >>> utilization_case("recurrent").value, utilization_case("depthwise_convolution").value
    ('text', 'convolution')
    """
    is_text = network in TEXT_NETWORKS if example_unit is None else example_unit in TEXT_UNITS
    if is_text:
        return UtilizationCase.TEXT
    return UtilizationCase.CONVOLUTION if network in CONVOLUTIONS else UtilizationCase.OTHER
