"""Attention within parts of a grid, and products over its corners."""

from itertools import product

from tests.formulas.loops.attention import attend, self_attention
from tests.formulas.loops.tally import INPUT, LEARNED, loop, sequence


@loop
def window_attention(tally, shape, *, heads, head_width, window):
    """Attention inside each window of an image that windows divide."""
    width, height, across = shape
    for _ in product(range(height // window), range(across // window)):
        self_attention(tally, (window * window, width), heads=heads, head_width=head_width)


@loop
def attention_pool2d(tally, shape, *, heads, out_features):
    """Count the mean attending to itself and to every place, all with learned positions added."""
    width, height, across = shape
    positions = [[LEARNED] * width for _ in range(height * across + 1)]
    keys, values = ([tally.dense(vector, width) for vector in positions] for _ in range(2))
    query, out, head_width = tally.dense(positions[0], width), [], width // heads
    for head in range(heads):
        part = slice(head * head_width, (head + 1) * head_width)
        parts = ([vector[part] for vector in vectors] for vectors in ([query], keys, values))
        out += attend(tally, *parts, lambda query, key: True)[0]
    tally.dense(out, out_features)


@loop
def axial_attention(tally, shape, *, heads, head_width, is_over_columns=False):
    """Count attention within each row or column of a grid, gated before the output projection."""
    rows, across, width = shape
    lines, length = (across, rows) if is_over_columns else (rows, across)
    for _ in range(lines):
        self_attention(tally, (length, width), heads=heads, head_width=head_width)
        for vector in sequence((length, width)):
            tally.dense(vector, heads * head_width)


@loop
def triangle_multiplication(tally, shape, *, width):
    """Count two gated projections of each edge, products over every third corner, and a gated output projection."""
    rows, _, inner = shape
    for _edge in product(range(rows), range(rows)):
        first, second, *_gates = [tally.dense([INPUT] * inner, width) for _ in range(4)]
        tally.dense([INPUT] * inner, inner)
        made = [tally.dot([first[axis]] * rows, [second[axis]] * rows) for axis in range(width)]
        tally.dense(made, inner)


@loop
def outer_product_mean(tally, shape, *, width, out_features):
    """Count two projections of each place and, for each pair of columns, a summed outer product and a projection."""
    rows, across, channels = shape
    left, right = (
        {place: tally.dense([INPUT] * channels, width) for place in product(range(rows), range(across))}
        for _ in range(2)
    )
    for one, other in product(range(across), range(across)):
        outer = [
            tally.dot([left[row, one][a] for row in range(rows)], [right[row, other][b] for row in range(rows)])
            for a, b in product(range(width), range(width))
        ]
        tally.dense(outer, out_features)
