"""Attention and other layers that multiply activations by activations."""

from pipeline.formulas.layers.count import MULTIPLY_ADD_FLOP, LayerCount, LayerError, Shape, kind
from pipeline.formulas.layers.sizes import (
    check_axes,
    check_positive,
    integer,
    seen_pairs,
    shape_text,
    share_weights,
    weights,
)


@kind
def self_attention(
    shape: Shape,
    *,
    heads: int,
    head_width: int,
    key_value_heads: int | None = None,
    value_width: int | None = None,
    is_causal: bool = False,
    window: int | None = None,
    has_biases: bool = False,
    has_input_biases: bool = False,
    has_key_bias: bool = True,
    norm_parameters: int = 0,
    is_shared: bool = False,
    chunk: int | None = None,
    reach: int | None = None,
    has_values: bool = True,
    has_keys: bool = True,
    relative_rows: int = 0,
) -> LayerCount:
    """Count attention of a sequence to itself: queries, keys, values, two products over pairs and an output projection.

    Shapes, for L positions, H heads, G key-value heads, head width D, value width V:

        q: [L, H, D] @ k: [L, G, D] -> scores: [H, L, L]
        scores: [H, L, L] @ v: [L, G, V] -> [L, H, V] -> output projection -> [L, width]

    With a causal mask, a query sees (L + 1) / 2 keys on average; with a window, it sees the window's keys. Fewer
    `key_value_heads` than heads means grouped-query attention, and one means multi-query attention. `has_input_biases`
    gives biases only to queries, keys and values; without `has_key_bias`, keys have none (Whisper). `norm_parameters`
    is the number of parameters that normalise queries and keys. `is_shared` reuses the weights of an earlier layer
    (ALBERT). `seen_pairs` explains `chunk` (Llama 4) and `reach` (ModernBERT). Without `has_values`, keys serve as
    values (Gemma 4); without `has_keys`, keys and values are those of an earlier layer. `relative_rows` is the
    number of rows of a table that the same weights project and that are multiplied with each position (DeBERTa, arXiv
    2006.03654, equation 4). For one token in a sequence of 20, the big
    transformer with the article's inputs takes 2 * (4 * 1024 * 1024 + 20 * 2 * 1024) = 8,470,528.

    >>> self_attention((20, 1024), heads=16, head_width=64).forward_flop // 20
    8470528
    """
    groups = heads if key_value_heads is None else key_value_heads
    value = head_width if value_width is None else value_width
    check_positive(heads=heads, head_width=head_width, key_value_heads=groups, value_width=value)
    if window is not None:
        check_positive(window=window)
    length, width = check_axes(shape, 2, "positions x width")
    if heads % groups:
        raise LayerError(f"{heads} heads cannot share {groups} key_value_heads")
    into_width = heads * head_width + has_keys * groups * (head_width + has_values * value)
    input_weights = int(width) * into_width
    into_biases = into_width - (0 if has_key_bias else groups * head_width)
    biases = (into_biases if has_biases or has_input_biases else 0) + (int(width) if has_biases else 0)
    parameters = input_weights + heads * value * int(width) + biases + norm_parameters
    input_flop = MULTIPLY_ADD_FLOP * length * input_weights
    out_flop = MULTIPLY_ADD_FLOP * length * heads * value * width
    per_pair = MULTIPLY_ADD_FLOP * heads * (head_width + value)
    pairs = seen_pairs(length, is_causal, window, chunk, reach)
    row_flop = MULTIPLY_ADD_FLOP * 2 * relative_rows * heads * head_width
    count = LayerCount(
        shape,
        parameters,
        matrix_flop=input_flop + out_flop + row_flop * width,
        input_flop=input_flop + row_flop * width,
        score_flop=integer(per_pair * pairs + row_flop * length),
        unmasked_score_flop=per_pair * (length * length) + row_flop * length,
        elementwise_flop=integer(5 * heads * pairs),
    )
    return share_weights(count) if is_shared else count


@kind
def window_attention(
    shape: Shape, *, heads: int, head_width: int, window: int, has_biases: bool = True, bias_entries: int = 0
) -> LayerCount:
    """Count attention from each position to its window x window square of an image (Swin, 2103.14030, equation 2).

    `bias_entries` is the number of relative positions with a learned bias per head. One position of Swin-T's first
    stage (width 96, 3 heads, 7 x 7 windows) takes 2 * (4 * 96 * 96 + 2 * 49 * 96) = 92,544.

    >>> window_attention((96, 56, 56), heads=3, head_width=32, window=7).forward_flop // 56**2
    92544
    """
    width, height, across = check_axes(shape, 3, "channels x height x width")
    check_positive(window=window)
    # Swin pads maps to a multiple of the window.
    padded = -(-height // window) * -(-across // window) * window * window
    count = self_attention(
        (padded, width), heads=heads, head_width=head_width, window=window * window, has_biases=has_biases
    )
    parameters = count.parameters + bias_entries * heads
    return count._replace(shape=shape, parameters=parameters, unmasked_score_flop=count.score_flop)


@kind
def cross_attention(
    shape: Shape,
    *,
    source_positions: float,
    source_width: int,
    heads: int,
    head_width: int,
    has_biases: bool = False,
    has_key_bias: bool = True,
    has_frozen_source: bool = False,
) -> LayerCount:
    """Count attention from a target (a query and an output per position) to a source (a key and a value per position).

    A frozen source, such as the text features of a frozen encoder, receives no gradient.

    >>> cross_attention((20, 1024), source_positions=20, source_width=1024, heads=16, head_width=64).forward_flop // 20
    8470528
    """
    check_positive(source_positions=source_positions, source_width=source_width, heads=heads, head_width=head_width)
    length, width = check_axes(shape, 2, "positions x width")
    inner = heads * head_width
    biases = (3 if has_key_bias else 2) * inner + int(width) if has_biases else 0
    parameters = 2 * int(width) * inner + 2 * source_width * inner + biases
    query_flop = MULTIPLY_ADD_FLOP * length * width * inner
    source_flop = MULTIPLY_ADD_FLOP * source_positions * source_width * 2 * inner
    return LayerCount(
        shape,
        parameters,
        matrix_flop=2 * query_flop + source_flop,
        input_flop=query_flop + source_flop,
        score_flop=MULTIPLY_ADD_FLOP * length * source_positions * 2 * inner,
        elementwise_flop=5 * heads * length * source_positions,
        constant_flop=source_flop if has_frozen_source else 0,
    )


@kind
def latent_attention(
    shape: Shape,
    *,
    heads: int,
    key_value_rank: int,
    head_width: int,
    rotary_width: int,
    value_width: int,
    query_rank: int | None = None,
    has_biases: bool = False,
    index_heads: int | None = None,
    index_width: int | None = None,
    selected_keys: int | None = None,
) -> LayerCount:
    """Count causal attention with low-rank queries, keys and values (DeepSeek-V2, arXiv 2405.04434, section 2.1).

    Queries: width -> query_rank -> heads x (head_width + rotary_width). Keys and values: width -> key_value_rank, next
    to one shared rotary key, -> heads x (head_width + value_width). Each low rank is normalised. Without `query_rank`,
    queries are projected directly from the width. `has_biases` gives biases to the first and last products.

    In DeepSeek's sparse attention (DeepSeek-V3.2-Exp, section 1), a query sees at most the `selected_keys` keys whose
    scores, summed over `index_heads` small heads, are largest. These heads share one normalised key of `index_width`.
    Their products cover every pair in the forward pass, and only the selected pairs in the backward pass (equation 4).
    DeepSeek-V3's attention has 187,107,328 parameters per layer:

    >>> widths = {"head_width": 128, "rotary_width": 64, "value_width": 128}
    >>> latent_attention((1, 7168), heads=128, query_rank=1536, key_value_rank=512, **widths).parameters
    187107328
    """
    check_positive(heads=heads, query_rank=query_rank or 1, key_value_rank=key_value_rank, head_width=head_width)
    check_positive(rotary_width=rotary_width, value_width=value_width)
    length, width = check_axes(shape, 2, "positions x width")
    queries = heads * (head_width + rotary_width)
    into_width = (query_rank or queries) + key_value_rank + rotary_width
    input_weights = int(width) * into_width
    later_weights = (query_rank or 0) * queries + key_value_rank * heads * (head_width + value_width)
    # Without a query rank, the query projection is also a last product, and has no bias.
    biases = into_width - (0 if query_rank else queries) + int(width) if has_biases else 0
    parameters = (
        input_weights + later_weights + heads * value_width * int(width) + (query_rank or 0) + key_value_rank + biases
    )
    input_flop = MULTIPLY_ADD_FLOP * length * input_weights
    matrix_flop = input_flop + MULTIPLY_ADD_FLOP * length * (later_weights + heads * value_width * width)
    per_pair = MULTIPLY_ADD_FLOP * heads * (head_width + rotary_width + value_width)
    pairs, selected = seen_pairs(length, True, None), seen_pairs(length, True, selected_keys)
    index = _index(shape, index_heads, index_width, query_rank) if index_heads and index_width else LayerCount(shape)
    return LayerCount(
        shape,
        parameters + index.parameters,
        matrix_flop=matrix_flop + index.matrix_flop,
        input_flop=input_flop + index.input_flop,
        score_flop=integer(per_pair * selected + index.score_flop * pairs),
        unmasked_score_flop=(per_pair + index.score_flop) * length * length,
        elementwise_flop=5 * heads * length * length,
        unlearned_flop=integer(index.score_flop * (pairs - selected)),
    )


def _index(shape: Shape, heads: int, index_width: int, query_rank: int | None) -> LayerCount:
    """Count the operations and parameters that an indexer adds to latent attention; `score_flop` is for one pair."""
    length, width = shape
    input_weights = int(width) * (index_width + heads)
    products = input_weights + (query_rank or int(width)) * heads * index_width
    return LayerCount(
        shape,
        products + 2 * index_width,
        matrix_flop=MULTIPLY_ADD_FLOP * length * products,
        input_flop=MULTIPLY_ADD_FLOP * length * (input_weights if query_rank else products),
        score_flop=MULTIPLY_ADD_FLOP * heads * index_width,
    )


@kind
def source_attention(
    shape: Shape, *, source_positions: float, source_width: int, state_width: int, attention_width: int | None = None
) -> LayerCount:
    """Count a recurrent decoder's attention to a source; its weighted mean is concatenated with each position's input.

    With `attention_width`, attention is additive (Bahdanau et al., arXiv 1409.0473, appendix A.1.2): the state and each
    source position are projected to that width, and a vector scores each pair. Otherwise, the score is the product of
    state and source (Luong et al., arXiv 1508.04025). All terms that grow with the number of pairs are score FLOP:
    2 * 20 * 30 * (1000 + 2000) here, in addition to 2 * (20 * 1000 + 30 * 2000) * 1000 for the projections.

    >>> source = {"source_positions": 30, "source_width": 2000}
    >>> source_attention((20, 620), **source, state_width=1000, attention_width=1000).forward_flop
    163600000
    """
    check_positive(source_positions=source_positions, source_width=source_width, state_width=state_width)
    length, width = check_axes(shape, 2, "positions x width")
    if attention_width is None and state_width != source_width:
        raise LayerError(f"a state of {state_width} cannot be multiplied with a source of {source_width}")
    inner = attention_width or 0
    check_positive(attention_width=inner or state_width)
    flop = MULTIPLY_ADD_FLOP * (length * state_width + source_positions * source_width) * inner
    score = MULTIPLY_ADD_FLOP * length * source_positions * ((inner or state_width) + source_width)
    parameters = (state_width + source_width + 1) * inner
    return LayerCount(
        (length, width + source_width),
        parameters,
        matrix_flop=flop,
        input_flop=flop,
        score_flop=score,
        elementwise_flop=5 * length * source_positions,
    )


@kind
def attention_pool2d(shape: Shape, *, heads: int, out_features: int) -> LayerCount:
    """Count CLIP's pooling (arXiv 2103.00020, section 2.4): the mean of a map attends to itself and to every element.

    Positions are learned. All positions have keys and values, but only the mean has a query and an output.
    RN50's layer, from 2048x7x7 to 1024, has 50 * 2048 + 3 * 2048 * 2049 + 1024 * 2049 parameters.

    >>> attention_pool2d((2048, 7, 7), heads=32, out_features=1024).parameters
    14789632
    """
    check_positive(heads=heads, out_features=out_features)
    channels, height, across = check_axes(shape, 3, "channels x height x width")
    width, positions = int(channels), height * across + 1
    parameters = int(positions) * width + 3 * weights(width, width, True) + weights(width, out_features, True)
    input_flop = MULTIPLY_ADD_FLOP * width * width * (2 * positions + 1)
    return LayerCount(
        (out_features,),
        parameters,
        matrix_flop=input_flop + MULTIPLY_ADD_FLOP * width * out_features,
        input_flop=input_flop,
        score_flop=MULTIPLY_ADD_FLOP * positions * 2 * width,
        elementwise_flop=5 * heads * positions,
    )


@kind
def axial_attention(shape: Shape, *, heads: int, head_width: int, is_over_columns: bool = False) -> LayerCount:
    """Count gated attention within rows or columns of a grid (AlphaFold 2, supplement, algorithms 7, 8, 13 and 14).

    Queries, keys, values and the gate are projected, and the gated mean is projected back. The gate and the output have
    biases. Pair biases are counted as a separate layer. AlphaFold's layer on the alignment has
    5 * 256 * 256 + 2 * 256 parameters.

    >>> axial_attention((128, 256, 256), heads=8, head_width=32).parameters
    328192
    """
    check_positive(heads=heads, head_width=head_width)
    rows, across, width = check_axes(shape, 3, "rows x columns x width")
    inner, axis_length = heads * head_width, (rows if is_over_columns else across)
    parameters = 5 * int(width) * inner + inner + int(width)
    input_flop = MULTIPLY_ADD_FLOP * rows * across * width * 4 * inner
    return LayerCount(
        shape,
        parameters,
        matrix_flop=input_flop + MULTIPLY_ADD_FLOP * rows * across * inner * width,
        input_flop=input_flop,
        score_flop=MULTIPLY_ADD_FLOP * rows * across * axis_length * 2 * inner,
        elementwise_flop=5 * heads * rows * across * axis_length,
    )


@kind
def triangle_multiplication(shape: Shape, *, width: int) -> LayerCount:
    """Count updates of edges from the other two edges of their triangles (AlphaFold 2, supplement, algorithms 11, 12).

    There are two gated projections to `width`, products of the two over every third corner (products of activations),
    and a gated projection back. Without the preceding normalisation, AlphaFold's layer has 6 * (128 * 128 + 128) + 2 *
    128 parameters.

    >>> triangle_multiplication((256, 256, 128), width=128).parameters
    99328
    """
    check_positive(width=width)
    rows, across, channels = check_axes(shape, 3, "rows x columns x width")
    if rows != across:
        raise LayerError(f"needs a square grid, not one of {shape_text((rows, across))}")
    pairs, inner = rows * across, int(channels)
    out = weights(width, inner, True) + weights(inner, inner, True)
    parameters = 4 * weights(inner, width, True) + 2 * width + out
    input_flop = MULTIPLY_ADD_FLOP * pairs * inner * (4 * width + inner)
    return LayerCount(
        shape,
        parameters,
        matrix_flop=input_flop + MULTIPLY_ADD_FLOP * pairs * width * inner,
        input_flop=input_flop,
        score_flop=MULTIPLY_ADD_FLOP * pairs * rows * width,
        elementwise_flop=10 * pairs * width,
    )


@kind
def outer_product_mean(shape: Shape, *, width: int, out_features: int) -> LayerCount:
    """Count outer products averaged over rows: an alignment becomes pairs of columns (AlphaFold 2, supplement, 1.6.4).

    There are two projections to `width`, width x width products of activations for each pair and row, and a projection
    to `out_features`. Without the preceding normalisation, AlphaFold's layer has 2 * (256 * 32 + 32) + 32 * 32 * 128 +
    128 parameters.

    >>> outer_product_mean((128, 256, 256), width=32, out_features=128).parameters
    147648
    """
    check_positive(width=width, out_features=out_features)
    rows, across, channels = check_axes(shape, 3, "rows x columns x width")
    parameters = 2 * weights(int(channels), width, True) + weights(width * width, out_features, True)
    input_flop = MULTIPLY_ADD_FLOP * rows * across * channels * 2 * width
    return LayerCount(
        (across, across, out_features),
        parameters,
        matrix_flop=input_flop + MULTIPLY_ADD_FLOP * across * across * width * width * out_features,
        input_flop=input_flop,
        score_flop=MULTIPLY_ADD_FLOP * rows * across * across * width * width,
    )
