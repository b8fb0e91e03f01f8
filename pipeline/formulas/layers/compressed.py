"""Layers of DeepSeek-V4: attention to compressed positions, and the mixing of residual streams."""

from pipeline.formulas.layers.count import MULTIPLY_ADD_FLOP, LayerCount, LayerError, Shape, kind
from pipeline.formulas.layers.sizes import check_axes, check_positive, integer, seen_pairs


@kind
def compressed_attention(
    shape: Shape,
    *,
    heads: int,
    head_width: int,
    query_rank: int,
    output_groups: int,
    output_rank: int,
    window: int,
    compression: int | None = None,
    index_heads: int | None = None,
    index_width: int | None = None,
    selected_keys: int | None = None,
) -> LayerCount:
    """Count causal attention to a window and to one entry per `compression` earlier positions (DeepSeek-V4).

    Shapes, for L positions, H heads of width D, which share one key that is also the value:

        q: width -> query_rank -> [L, H, D]; kv: width -> [L, D]
        entries: width -> two products of D -> [L / compression, D]
        scores: q @ [window and entries, D] -> [L, H, D] -> output_groups x output_rank, a block of heads each -> width

    With `index_heads`, entries overlap (their products are twice as wide), and a query sees at most the `selected_keys`
    entries with the largest scores, summed over small heads of `index_width` that have their own entries. The low-rank
    queries, the keys and the entries are normalised; each head has a sink. Source: transformers 5.24,
    models/deepseek_v4. Its defaults without entries give 4096 * 1024 + 1024 * 64 * 512 + 4096 * 512 + 64 * 512 * 1024
    + 8 * 1024 * 4096 + 1024 + 512 + 64 parameters.

    >>> sizes = {"query_rank": 1024, "output_groups": 8, "output_rank": 1024, "window": 128}
    >>> compressed_attention((1, 4096), heads=64, head_width=512, **sizes).parameters
    106956352
    """
    check_positive(heads=heads, head_width=head_width, query_rank=query_rank, output_rank=output_rank)
    check_positive(output_groups=output_groups, compression=compression or 1, window=window)
    length, width = check_axes(shape, 2, "positions x width")
    if heads % output_groups:
        raise LayerError(f"{heads} heads cannot be cut into {output_groups} output_groups")
    inner, d = heads * head_width, int(width)
    has_index = bool(index_heads and index_width)
    series = 0 if compression is None else 4 if has_index else 2  # products per entry: values and their gates
    input_weights = d * (query_rank + head_width + series * head_width)
    later_weights = query_rank * inner + inner * output_rank + output_groups * output_rank * d
    vectors = query_rank + head_width + heads
    pairs, index_pairs, entries = seen_pairs(length, True, window), 0.0, 0.0
    if compression:
        vectors += compression * series * head_width // 2 + head_width
        pairs += _entries_seen(length, compression, selected_keys if has_index else None)
        entries = length // compression
    if has_index and compression:
        small = index_width or 0
        input_weights += d * (4 * small + (index_heads or 0))
        later_weights += query_rank * (index_heads or 0) * small
        vectors += compression * 2 * small + small
        index_pairs = _entries_seen(length, compression, None)
    per_pair = MULTIPLY_ADD_FLOP * 2 * inner
    per_index = MULTIPLY_ADD_FLOP * (index_heads or 0) * (index_width or 0)
    return LayerCount(
        shape,
        input_weights + later_weights + vectors,
        matrix_flop=MULTIPLY_ADD_FLOP * length * (input_weights + later_weights),
        input_flop=MULTIPLY_ADD_FLOP * length * input_weights,
        score_flop=integer(per_pair * pairs + per_index * index_pairs),
        unmasked_score_flop=per_pair * length * (length + entries) + per_index * length * entries,
        elementwise_flop=integer(5 * heads * pairs),
        unlearned_flop=integer(per_index * index_pairs),
    )


def _entries_seen(length: float, compression: int, most: int | None) -> float:
    """Return the number of query-entry pairs: query t sees floor(t / compression) entries, at most `most`.

    >>> _entries_seen(10, 4, None), _entries_seen(10, 4, 1)
    (10, 7)
    """
    # The number of visible entries grows by one every `compression` queries, until it reaches `most`.
    full, remainder = divmod(length, compression)
    if most is None or most >= full:
        return compression * full * (full - 1) // 2 + full * (remainder + 1)
    return compression * most * (most - 1) // 2 + most * (length - compression * most + 1)


@kind
def hyper_connection(shape: Shape, *, streams: int, is_last: bool = False) -> LayerCount:
    """Count the mixing of residual streams around a sublayer, whose weights come from one product (DeepSeek-V4's mHC).

    The product of all streams gives one weight per stream for the sublayer's input and one for its output, and a matrix
    of streams x streams, which multiplies the streams. The last connection gives only the input's weights. Source:
    transformers 5.24, models/deepseek_v4. Four streams of width 4,096 have 24 * 4 * 4096 + 24 + 3 parameters.

    >>> hyper_connection((1, 4096), streams=4).parameters
    393243
    """
    check_positive(streams=streams)
    length, width = check_axes(shape, 2, "positions x width")
    outputs = streams if is_last else (2 + streams) * streams
    weights = outputs * streams * int(width)
    parameters = weights + outputs + (1 if is_last else 3)
    flop = MULTIPLY_ADD_FLOP * length * weights
    mixing = 0 if is_last else MULTIPLY_ADD_FLOP * length * streams * streams * width
    return LayerCount(shape, parameters, matrix_flop=flop, input_flop=flop, score_flop=mixing)
