"""Products of vectors with weights, position by position."""

from itertools import product

from tests.formulas.loops.tally import INPUT, loop, sequence


@loop
def linear(tally, shape, *, out_features, has_bias=False):
    """Count each position by itself."""
    for _ in product(*map(range, shape[:-1])):
        tally.dense([INPUT] * shape[-1], out_features, has_bias=has_bias)


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
def feed_forward(tally, shape, *, width, is_gated=False, has_biases=False):
    """Count two products at each position, with a third product for a gate."""
    for vector in sequence(shape):
        fed_forward(tally, vector, width, is_gated)
        tally.additions += ((2 if is_gated else 1) * width + shape[1]) if has_biases else 0


@loop
def mixture_of_experts(tally, shape, *, experts, experts_per_token, expert_width, shared_experts=0, is_gated=True):
    """Count a score for each expert, then the chosen and the shared experts."""
    for vector in sequence(shape):
        tally.dense(vector, experts)
        tally.additions += 2 * len(vector) * experts_per_token  # each expert's output times its weight, summed
        for _ in range(experts_per_token + shared_experts):
            fed_forward(tally, vector, expert_width, is_gated)


@loop
def squeeze_excitation(tally, shape, *, width, has_bias=False):
    """Two layers on the channels' means."""
    tally.dense(tally.dense([INPUT] * shape[0], width, has_bias=has_bias), shape[0], has_bias=has_bias)
