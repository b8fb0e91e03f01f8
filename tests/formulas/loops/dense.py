"""Products of vectors with weights, position by position."""

from itertools import product

from tests.formulas.loops.tally import INPUT, loop, sequence


@loop
def linear(tally, shape, *, out_features):
    """Count each position by itself."""
    for _ in product(*map(range, shape[:-1])):
        tally.dense([INPUT] * shape[-1], out_features)


@loop
def unembedding(tally, shape, *, vocabulary, is_tied=False):
    """Count a score for each word at each position."""
    for vector in sequence(shape):
        tally.dense(vector, vocabulary)


def fed_forward(tally, vector, width, is_gated=False):
    """Return one position after two products, with a third product for a gate."""
    hidden = tally.dense(vector, width)
    if is_gated:
        hidden = [a | b for a, b in zip(hidden, tally.dense(vector, width), strict=True)]
    return tally.dense(hidden, len(vector))


@loop
def feed_forward(tally, shape, *, width, is_gated=False):
    """Count two products at each position, with a third product for a gate."""
    for vector in sequence(shape):
        fed_forward(tally, vector, width, is_gated)


@loop
def mixture_of_experts(tally, shape, *, experts, experts_per_token, expert_width, shared_experts=0, is_gated=True):
    """Count a score for each expert, then the chosen and the shared experts."""
    for vector in sequence(shape):
        tally.dense(vector, experts)
        for _ in range(experts_per_token + shared_experts):
            fed_forward(tally, vector, expert_width, is_gated)


@loop
def squeeze_excitation(tally, shape, *, width):
    """Two layers on the channels' means."""
    tally.dense(tally.dense([INPUT] * shape[0], width), shape[0])
