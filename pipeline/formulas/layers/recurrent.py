"""Sequential layers: recurrent networks and state spaces."""

from pipeline.formulas.layers.count import MULTIPLY_ADD_FLOP, LayerCount, Shape, kind
from pipeline.formulas.layers.sizes import check_axes, check_positive


def _recurrent(
    shape: Shape, gates: int, width: int, bias_vectors: int, is_bidirectional: bool, projection: int | None
) -> LayerCount:
    check_positive(width=width)
    steps, inputs = check_axes(shape, 2, "steps x width")
    state = projection or width
    directions = 2 if is_bidirectional else 1
    input_flop = MULTIPLY_ADD_FLOP * steps * gates * inputs * width
    state_flop = MULTIPLY_ADD_FLOP * steps * (gates * state * width + (width * projection if projection else 0))
    parameters = gates * ((int(inputs) + state) * width + bias_vectors * width) + (
        width * projection if projection else 0
    )
    return LayerCount(
        (steps, directions * state),
        directions * parameters,
        directions * parameters,
        directions * (input_flop + state_flop),
        directions * input_flop,
        elementwise_flop=directions * (2 * gates + 1) * steps * width,
    )


@kind
def rnn(shape: Shape, *, width: int, bias_vectors: int = 1, is_bidirectional: bool = False) -> LayerCount:
    """A plain recurrent layer: a product with the input and one with the last output, at each step.

    >>> rnn((1, 1000), width=1000).forward_flop
    4000000
    """
    return _recurrent(shape, 1, width, bias_vectors, is_bidirectional, None)


@kind
def gru(shape: Shape, *, width: int, bias_vectors: int = 1, is_bidirectional: bool = False) -> LayerCount:
    """A gated recurrent unit: three gates, each a product with the input and with the last output, at each step.

    >>> gru((1, 1000), width=1000).forward_flop
    12000000
    """
    return _recurrent(shape, 3, width, bias_vectors, is_bidirectional, None)


@kind
def lstm(
    shape: Shape, *, width: int, bias_vectors: int = 1, is_bidirectional: bool = False, projection: int | None = None
) -> LayerCount:
    """A long short-term memory layer: four gates, each a product with the input and with the last output, at each step.

    With a projection the recurrent output is narrower. A layer of Seq2Seq, 1000 inputs and 1000 cells:
    2 * 4 * (1000 + 1000) * 1000 a step. PyTorch keeps two bias vectors a gate.

    >>> lstm((1, 1000), width=1000).forward_flop
    16000000
    """
    return _recurrent(shape, 4, width, bias_vectors, is_bidirectional, projection)


@kind
def state_space(
    shape: Shape,
    *,
    inner_width: int,
    state_width: int,
    rank: int,
    kernel: int,
    has_bias: bool = False,
    has_convolution_bias: bool = True,
) -> LayerCount:
    """A Mamba block (Gu & Dao, arXiv 2312.00752, section 3.4): projections, a short depthwise convolution and the scan.

    Into two streams of `inner_width`, from one of them to step sizes of `rank` and two states, back to the width. The
    scan, about 9 operations for each of inner_width x state_width, is elementwise. A token of Mamba-130M costs 2 * (768
    * 3072 + 1536 * 80 + 48 * 1536 + 1536 * 768) + 2 * 4 * 1536.

    >>> state_space((1, 768), inner_width=1536, state_width=16, rank=48, kernel=4).forward_flop
    7483392
    """
    check_positive(inner_width=inner_width, state_width=state_width, rank=rank, kernel=kernel)
    length, width = check_axes(shape, 2, "positions x width")
    into = int(width) * 2 * inner_width
    selected = inner_width * (rank + 2 * state_width) + rank * inner_width
    out = inner_width * int(width)
    short = inner_width * kernel
    biases = (
        inner_width + (inner_width if has_convolution_bias else 0) + ((2 * inner_width + int(width)) if has_bias else 0)
    )
    parameters = into + selected + out + short + biases + inner_width * state_width + inner_width
    input_flop = MULTIPLY_ADD_FLOP * length * into
    flop = input_flop + MULTIPLY_ADD_FLOP * length * (selected + out + short)
    return LayerCount(
        shape, parameters, parameters, flop, input_flop, elementwise_flop=9 * length * inner_width * state_width
    )
