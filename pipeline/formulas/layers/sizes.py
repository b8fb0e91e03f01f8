"""Arithmetic on shapes for several layers, and checks that raise LayerError."""

from typing import Any

from pipeline.formulas.layers.count import LayerCount, LayerError, Shape, Size


def check_axes(shape: Shape, number: int, wanted: str) -> Shape:
    """Return the shape if it has `number` axes. Otherwise raise LayerError, which names the `wanted` axes."""
    if len(shape) != number:
        raise LayerError(f"needs an input of {wanted}, not of shape {shape_text(shape)}")
    return shape


def shape_text(shape: Shape | None) -> str:
    """Return a shape as messages show it, such as 3x224x224."""
    return "x".join(f"{axis:g}" for axis in shape or ())


def check_positive(**sizes: Any) -> None:
    """Raise LayerError if a size is not a positive number."""
    for name, size in sizes.items():
        if isinstance(size, bool) or not isinstance(size, int | float) or not 0 < size < 1e15:
            raise LayerError(f"{name} must be a number above 0, not {size!r}")


def weights(inputs: int, outputs: int, has_bias: bool = False) -> int:
    """Return the parameters of a product from `inputs` to `outputs`, with one bias per output if `has_bias`."""
    return inputs * outputs + (outputs if has_bias else 0)


def each_axis(size: Size, axes: int, name: str) -> tuple[int, ...]:
    """Return one number per axis, repeating a single number. Raise LayerError if there are too many or too few."""
    sizes = (size,) * axes if isinstance(size, int) else tuple(size)
    if len(sizes) != axes:
        raise LayerError(f"{name} has {len(sizes)} numbers for {axes} axes")
    return sizes


def check_groups(channels: float, out_channels: int, groups: int) -> None:
    """Raise LayerError if the input or output channels are not divisible by the groups."""
    for name, size in (("input channels", channels), ("out_channels", out_channels)):
        if size % groups:
            raise LayerError(f"{size:g} {name} cannot be divided into {groups} groups")


def output_size(size: float, kernel: int, stride: int, padding: int, dilation: int = 1) -> int:
    """Return the output size of a convolution along one axis.

    Raise LayerError if the dilated kernel does not fit into the padded input.
    """
    if padding < 0:
        raise LayerError(f"padding must not be negative, not {padding!r}")
    reach = (kernel - 1) * dilation + 1
    if reach > size + 2 * padding:
        raise LayerError(f"the kernel reaches over {reach} of a padded input of {size + 2 * padding:g}")
    return int((size - reach + 2 * padding) // stride) + 1


def integer(number: float) -> float:
    """Return a whole number as an int, so that sums stay exact."""
    return int(number) if number == int(number) else number


def half_product(product: float) -> float:
    """Return half of a product, as an int if the product is an int (which is then even)."""
    return product // 2 if isinstance(product, int) else product / 2


def seen_pairs(
    length: float, is_causal: bool, window: int | None, chunk: int | None = None, reach: int | None = None
) -> float:
    """Return the number of query-key pairs; `window` is the number of keys per query, with its own position.

    With a `chunk`, a query sees only positions in its chunk. With a `reach`, it sees that many positions on each side.

    >>> seen_pairs(10, True, None, chunk=4), seen_pairs(10, False, None, reach=1)
    (23, 28)
    """
    # Full chunks, then the shorter last one.
    if chunk is not None and chunk < length:
        return length // chunk * seen_pairs(chunk, is_causal, None) + seen_pairs(length % chunk, is_causal, None)
    # Positions near either end lack 1 + 2 + ... + reach keys on one side.
    if reach is not None and reach < length:
        return length * (2 * reach + 1) - reach * (reach + 1)
    # A causal query t sees t keys, at most `window`, so the first queries lack window * (window - 1) / 2 keys.
    if window is None or window >= length:
        return half_product(length * (length + 1)) if is_causal else length * length
    return length * window - half_product(window * (window - 1)) if is_causal else length * window


def share_weights(count: LayerCount) -> LayerCount:
    """Return the count without its parameters, because an earlier layer counted the weights."""
    return count._replace(parameters=0, has_shared_weights=True)
