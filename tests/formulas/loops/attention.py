"""Attention of sequences."""

from tests.formulas.loops.tally import FIXED, loop, mixed, sequence


def attend(tally, queries, keys, values, sees):
    """Return one head: a query's products with the keys that it sees, and the weighted sum of their values."""
    out = []
    for at, query in enumerate(queries):
        seen = [key for key in range(len(keys)) if sees(at, key)]
        weight = mixed(tally.dot(query, keys[key]) for key in seen)
        out.append(
            [tally.dot([weight] * len(seen), [values[key][axis] for key in seen]) for axis in range(len(values[0]))]
        )
    return out


@loop
def self_attention(tally, shape, *, heads, head_width, key_value_heads=None, is_causal=False, window=None):
    """Count projections of every position, every head by itself, and an output projection."""

    def sees(query, key):
        return (key <= query or not is_causal) and (window is None or query - key < window)

    length, width = shape
    groups = key_value_heads or heads
    queries = [[tally.dense(vector, head_width) for vector in sequence(shape)] for _ in range(heads)]
    keys, values = (
        [[tally.dense(vector, head_width) for vector in sequence(shape)] for _ in range(groups)] for _ in range(2)
    )
    out = [[] for _ in range(length)]
    for head in range(heads):
        group = head * groups // heads
        for at, vector in enumerate(attend(tally, queries[head], keys[group], values[group], sees)):
            out[at] = out[at] + vector
    for vector in out:
        tally.dense(vector, width)


@loop
def cross_attention(tally, shape, *, source_positions, source_width, heads, head_width):
    """Count queries of the target, and keys and values of a source, which also comes from below."""
    length, width = shape
    source = (source_positions, source_width)
    out = [[] for _ in range(length)]
    for _ in range(heads):
        queries = [tally.dense(vector, head_width) for vector in sequence(shape)]
        keys, values = ([tally.dense(vector, head_width) for vector in sequence(source)] for _ in range(2))
        for at, vector in enumerate(attend(tally, queries, keys, values, lambda query, key: True)):
            out[at] = out[at] + vector
    for vector in out:
        tally.dense(vector, width)


@loop
def latent_attention(
    tally,
    shape,
    *,
    heads,
    query_rank,
    key_value_rank,
    head_width,
    rotary_width,
    value_width,
    index_heads=0,
    index_width=0,
    selected_keys=None,
):
    """Count queries, keys and values through low ranks, one rotary key, and a causal mask or an indexer's selection.

    The choice of keys changes no count; here the last ones are selected. Scores of the others have no gradient.
    """
    length, width = shape
    low_queries = [tally.dense(vector, query_rank) for vector in sequence(shape)]
    low_values = [tally.dense(vector, key_value_rank) for vector in sequence(shape)]
    rotary = [tally.dense(vector, rotary_width) for vector in sequence(shape)]
    most = selected_keys or length
    if index_heads:
        index_keys = [tally.dense(vector, index_width) for vector in sequence(shape)]
        for at, vector in enumerate(sequence(shape)):
            tally.dense(vector, index_heads)
            for _ in range(index_heads):
                query = tally.dense(low_queries[at], index_width)
                for key in range(at + 1):
                    is_seen = at - key < most
                    tally.dot(
                        query if is_seen else [FIXED] * index_width,
                        index_keys[key] if is_seen else [FIXED] * index_width,
                    )
    out = [[] for _ in range(length)]
    for _ in range(heads):
        queries = [tally.dense(vector, head_width + rotary_width) for vector in low_queries]
        keys = [tally.dense(vector, head_width) + rotary[at] for at, vector in enumerate(low_values)]
        values = [tally.dense(vector, value_width) for vector in low_values]
        for at, vector in enumerate(attend(tally, queries, keys, values, lambda query, key: 0 <= query - key < most)):
            out[at] = out[at] + vector
    for vector in out:
        tally.dense(vector, width)
