"""The share of its dense peak that a chip reaches, and the largest share that it can reach (methods, section 4)."""

LARGEST = 1.0
# Winograd and FFT algorithms need fewer multiplications than the definition of a k x k convolution; measured ratios are
# 1.3 to 1.75.
LARGEST_OF_CONVOLUTIONS = 1.75
ORDINARY_CORES = ("fp32", "fp64")


def utilization_fraction(flop_per_second: float, chips: float, peak_flop_per_second: float) -> float:
    """Return a measured speed as a share of the peak of all chips.

    >>> utilization_fraction(3e12 * 80, 8, 1e14)
    0.3
    """
    return flop_per_second / (chips * peak_flop_per_second)


def largest_utilization_fraction(network: str, precision: str) -> float:
    """Return the largest share of the dense peak that training of this kind of network can reach at this precision.

    >>> [largest_utilization_fraction("dense_convolution", precision) for precision in ("fp32", "fp16")]
    [1.75, 1.0]
    """
    is_spared = network == "dense_convolution" and precision in ORDINARY_CORES
    return LARGEST_OF_CONVOLUTIONS if is_spared else LARGEST
