"""Sequential layers: recurrent networks, state spaces and linear attention."""

from pipeline.formulas.layers.count import MULTIPLY_ADD_FLOP, LayerCount, LayerError, Shape, kind
from pipeline.formulas.layers.sizes import check_axes, check_positive


def _recurrent(
    shape: Shape, width: int, bias_vectors: int, is_bidirectional: bool, projection: int | None = None, *, gates: int
) -> LayerCount:
    """Count a recurrent layer with this number of gates, each a product with the input and one with the state.

    With `projection`, the state is projected to that width after each step. Both directions have weights of their own.
    """
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
        matrix_flop=directions * (input_flop + state_flop),
        input_flop=directions * input_flop,
        elementwise_flop=directions * (2 * gates + 1) * steps * width,
    )


@kind
def rnn(shape: Shape, *, width: int, bias_vectors: int = 1, is_bidirectional: bool = False) -> LayerCount:
    """Count a plain recurrent layer: in each step, one product with the input and one with the previous output.

    >>> rnn((1, 1000), width=1000).forward_flop
    4000000
    """
    return _recurrent(shape, width, bias_vectors, is_bidirectional, gates=1)


@kind
def gru(shape: Shape, *, width: int, bias_vectors: int = 1, is_bidirectional: bool = False) -> LayerCount:
    """Count a gated recurrent unit: in each step, three gates with a product with the input and with the last output.

    >>> gru((1, 1000), width=1000).forward_flop
    12000000
    """
    return _recurrent(shape, width, bias_vectors, is_bidirectional, gates=3)


@kind
def lstm(
    shape: Shape, *, width: int, bias_vectors: int = 1, is_bidirectional: bool = False, projection: int | None = None
) -> LayerCount:
    """Count a long short-term memory: in each step, four gates with a product with the input and with the last output.

    A projection narrows the recurrent output. PyTorch has two bias vectors per gate. A Seq2Seq layer with 1000 inputs
    and 1000 cells takes 2 * 4 * (1000 + 1000) * 1000 per step.

    >>> lstm((1, 1000), width=1000).forward_flop
    16000000
    """
    return _recurrent(shape, width, bias_vectors, is_bidirectional, projection, gates=4)


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
    """Count a Mamba block (Gu & Dao, arXiv 2312.00752, section 3.4): projections, a depthwise convolution and the scan.

    The input is projected to two streams of `inner_width`. One stream is projected to step sizes of `rank` and two
    states, and the result is projected back. The scan is elementwise, with about 9 operations for each of inner_width x
    state_width elements. A token of Mamba-130M costs 2 * (768 * 3072 + 1536 * 80 + 48 * 1536 + 1536 * 768) + 2 * 4 *
    1536.

    >>> state_space((1, 768), inner_width=1536, state_width=16, rank=48, kernel=4).forward_flop
    7483392
    """
    check_positive(inner_width=inner_width, state_width=state_width, rank=rank, kernel=kernel)
    length, width = check_axes(shape, 2, "positions x width")
    input_weights = int(width) * 2 * inner_width
    selected = inner_width * (rank + 2 * state_width) + rank * inner_width
    out = inner_width * int(width)
    short = inner_width * kernel
    biases = (
        inner_width + (inner_width if has_convolution_bias else 0) + ((2 * inner_width + int(width)) if has_bias else 0)
    )
    parameters = input_weights + selected + out + short + biases + inner_width * state_width + inner_width
    input_flop = MULTIPLY_ADD_FLOP * length * input_weights
    return LayerCount(
        shape,
        parameters,
        matrix_flop=input_flop + MULTIPLY_ADD_FLOP * length * (selected + out + short),
        input_flop=input_flop,
        elementwise_flop=9 * length * inner_width * state_width,
    )


@kind
def linear_attention(
    shape: Shape,
    *,
    heads: int,
    key_width: int,
    value_width: int,
    key_heads: int | None = None,
    kernel: int | None = None,
    scalars_per_head: int = 0,
    has_gate: bool = False,
    has_delta_rule: bool = False,
    other_parameters: int = 0,
) -> LayerCount:
    """Count attention in which each position writes and reads a state of key width x value width per head.

    Lightning attention (Qin et al., arXiv 2405.17381), Mamba-2 (Dao & Gu, arXiv 2405.21060, sections 5 and 7), gated
    delta networks (Yang et al., arXiv 2412.06464), Kimi Delta Attention (arXiv 2510.26692):

        q, k: [L, key_heads, K], v: [L, heads, V]; state: k v^T -> [heads, K, V]
        out: q @ state -> [L, heads, V] -> width

    Writing and reading take one product each. The delta rule reads the state's value for a key before it writes.
    `kernel` is the width of a depthwise convolution of queries, keys and values. `scalars_per_head` counts step sizes,
    decays or betas. `has_gate` multiplies the output by a projection of the input. `other_parameters` counts norms,
    decays and biases. In Mamba-2's terms K is the state width, V the head width and key_heads the groups. We ignore how
    a program cuts positions into chunks; the state's decay is elementwise. Nemotron-H-8B's layer, without the norm
    before it:

    >>> mamba = {"heads": 128, "value_width": 64, "key_heads": 8, "key_width": 128, "kernel": 4, "scalars_per_head": 1}
    >>> linear_attention((1, 4096), **mamba, has_gate=True, other_parameters=8192 + 10240 + 3 * 128).parameters
    109635968
    """
    groups = heads if key_heads is None else key_heads
    check_positive(heads=heads, key_width=key_width, value_width=value_width, key_heads=groups)
    if heads % groups:
        raise LayerError(f"{heads} heads cannot share {groups} key_heads")
    length, width = check_axes(shape, 2, "positions x width")
    inner, channels = heads * value_width, 2 * groups * key_width + heads * value_width
    input_weights = int(width) * (channels + (inner if has_gate else 0) + scalars_per_head * heads)
    parameters = input_weights + inner * int(width) + channels * (kernel or 0) + other_parameters
    input_flop = MULTIPLY_ADD_FLOP * length * input_weights
    flop = input_flop + MULTIPLY_ADD_FLOP * length * (inner * width + channels * (kernel or 0))
    state_elements = length * inner * key_width
    return LayerCount(
        shape,
        parameters,
        matrix_flop=flop,
        input_flop=input_flop,
        score_flop=MULTIPLY_ADD_FLOP * state_elements * (3 if has_delta_rule else 2),
        elementwise_flop=state_elements,
    )
