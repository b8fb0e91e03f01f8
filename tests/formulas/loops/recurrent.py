"""Layers that run step by step."""

from tests.formulas.loops.tally import LEARNED, loop, mixed, sequence


def _recurrent(tally, shape, gates, width, projection=None, is_bidirectional=False):
    outputs = [[] for _ in range(shape[0])]
    for _direction in range(2 if is_bidirectional else 1):
        # The first state is zeros, but every framework multiplies it like the others, so it counts as trainable too.
        state = [LEARNED] * (projection or width)
        for step, vector in enumerate(sequence(shape)):
            gated = [tally.dense(vector, width) + tally.dense(state, width) for _ in range(gates)]
            cells = [mixed(gate[cell] for gate in gated) for cell in range(width)]
            state = tally.dense(cells, projection) if projection else cells
            outputs[step] = outputs[step] + state
    return outputs


@loop
def rnn(tally, shape, **arguments):
    """One product with the input and one with the state."""
    return _recurrent(tally, shape, 1, **arguments)


@loop
def gru(tally, shape, **arguments):
    """Three gates."""
    return _recurrent(tally, shape, 3, **arguments)


@loop
def lstm(tally, shape, **arguments):
    """Four gates."""
    return _recurrent(tally, shape, 4, **arguments)


@loop
def state_space(tally, shape, *, inner_width, state_width, rank, kernel):
    """Count two streams, a convolution over the last positions, step sizes and states; the scan has no weights."""
    streams = [(tally.dense(vector, inner_width), tally.dense(vector, inner_width)) for vector in sequence(shape)]
    for at in range(len(streams)):
        last = [streams[max(at - back, 0)][0] for back in range(kernel)]
        mixed = [tally.dot([LEARNED] * kernel, [vector[axis] for vector in last]) for axis in range(inner_width)]
        selected = tally.dense(mixed, rank + 2 * state_width)
        tally.dense(selected[:rank], inner_width)
        tally.dense(mixed, shape[1])


@loop
def linear_attention(
    tally,
    shape,
    *,
    heads,
    key_width,
    value_width,
    key_heads=None,
    kernel=1,
    scalars_per_head=0,
    has_gate=False,
    has_delta_rule=False,
):
    """Count a state per head: each position writes key and (corrected) value, and reads with its query."""
    groups, width = key_heads or heads, shape[1]
    for vector in sequence(shape):
        streams = [tally.dense(vector, key_width) for _ in range(2 * groups)]
        streams += [tally.dense(vector, value_width) for _ in range(heads)]
        tally.dense(vector, (heads * value_width if has_gate else 0) + scalars_per_head * heads)
        if kernel > 1:
            streams = [[tally.dot([LEARNED] * kernel, [number] * kernel) for number in stream] for stream in streams]
        for _ in range(heads):
            if has_delta_rule:
                tally.dense([LEARNED] * key_width, value_width)
            for _ in range(key_width):
                tally.dense([LEARNED], value_width)
            tally.dense([LEARNED] * key_width, value_width)
        tally.dense([LEARNED] * heads * value_width, width)
