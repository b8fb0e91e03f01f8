"""What share of its dense peak a chip can reach at most."""

LARGEST = 1.0
# Fast algorithms (Winograd, FFT) spare multiplications of k x k convolutions on ordinary cores; 1.3 to 1.75 was reached honestly.
LARGEST_OF_CONVOLUTIONS = 1.75
ORDINARY_CORES = ("fp32", "fp64")


def largest_utilization_fraction(network: str, precision: str) -> float:
    """The largest share of the dense peak that training a network of this family can reach in this format.

    >>> largest_utilization_fraction("dense_convolution", "fp32"), largest_utilization_fraction("dense_convolution", "fp16")
    (1.75, 1.0)
    """
    is_spared = network == "dense_convolution" and precision in ORDINARY_CORES
    return LARGEST_OF_CONVOLUTIONS if is_spared else LARGEST
