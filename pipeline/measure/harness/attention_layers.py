"""Torch modules of our attention kinds, by scaled_dot_product_attention; see layers.py."""

from collections.abc import Sequence
from typing import Any

from pipeline.measure.harness.layers import BUILDERS, Held, UnbuildableError, _from_modules, builder
from pipeline.measure.modules import wired

for _kind in ("attention_pool2d", "axial_attention", "triangle_multiplication", "outer_product_mean"):
    BUILDERS[_kind] = _from_modules(_kind)


def split(x: Any, heads: int) -> Any:
    """Positions x width as heads x positions x head width."""
    return x.unflatten(-1, (heads, -1)).transpose(1, 2)


def joined(x: Any) -> Any:
    """Heads side by side again."""
    return x.transpose(1, 2).flatten(2)


def attended(queries: Any, keys: Any, values: Any, **settings: Any) -> Any:
    """Fused attention."""
    from torch.nn import functional as F  # noqa: N812

    return F.scaled_dot_product_attention(queries, keys, values, **settings)


@builder
def self_attention(
    shape: Sequence[int],
    held: Held,
    *,
    heads: int,
    head_width: int,
    key_value_heads: int | None,
    value_width: int | None,
    is_causal: bool,
    window: int | None,
    has_biases: bool,
    has_input_biases: bool,
    has_key_bias: bool,
    norm_parameters: int,
    is_shared: bool,
) -> Any:
    """Projections, fused attention, a projection; a window is a mask, which saves no work in it."""
    import torch
    from torch import nn

    length, width = shape
    groups, value = key_value_heads or heads, value_width or head_width
    has_into = has_biases or has_input_biases
    settings: dict[str, Any] = {"enable_gqa": True} if groups != heads else {}
    buffers = {}
    if window and window < length:
        distance = torch.arange(length)[:, None] - torch.arange(length)
        seen = (distance >= 0) & (distance < window) if is_causal else distance.abs() <= window // 2
        buffers = {"seen": seen}
    elif is_causal:
        settings["is_causal"] = True

    def run(self: Any, x: Any) -> Any:
        queries, keys = split(self.queries(x), heads), split(self.keys(x), groups)
        if norm_parameters:
            scale = self.norm.sum()  # what it holds depends on the model: one number a head, a width or all of it
            queries, keys = queries * scale, keys * scale
        mask = {"attn_mask": self.seen} if buffers else {}
        return self.out(joined(attended(queries, keys, split(self.values(x), groups), **settings, **mask)))

    parts = {"norm": nn.Parameter(torch.full((norm_parameters,), 1 / norm_parameters))} if norm_parameters else {}
    made = wired(
        run,
        queries=nn.Linear(width, heads * head_width, bias=has_into),
        keys=nn.Linear(width, groups * head_width, bias=has_into and has_key_bias),
        values=nn.Linear(width, groups * value, bias=has_into),
        out=nn.Linear(heads * value, width, bias=has_biases),
        **parts,
    )
    for name, buffer in buffers.items():
        made.register_buffer(name, buffer)
    return made


@builder
def cross_attention(
    shape: Sequence[int],
    held: Held,
    *,
    source_positions: int,
    source_width: int,
    heads: int,
    head_width: int,
    has_biases: bool,
    has_key_bias: bool,
) -> Any:
    """Queries of this stream, keys and values of the one before."""
    from torch import nn

    if tuple(held.source_shape) != (source_positions, source_width):
        raise UnbuildableError(f"cross_attention: no stream before it gives {source_positions:g} x {source_width}")
    held.is_read = True
    inner = heads * head_width

    def run(self: Any, x: Any) -> Any:
        source = held.source
        rows = split(self.queries(x), heads), split(self.keys(source), heads), split(self.values(source), heads)
        return self.out(joined(attended(*rows)))

    return wired(
        run,
        queries=nn.Linear(shape[1], inner, bias=has_biases),
        keys=nn.Linear(source_width, inner, bias=has_biases and has_key_bias),
        values=nn.Linear(source_width, inner, bias=has_biases),
        out=nn.Linear(inner, shape[1], bias=has_biases),
    )


@builder
def latent_attention(
    shape: Sequence[int],
    held: Held,
    *,
    heads: int,
    key_value_rank: int,
    head_width: int,
    rotary_width: int,
    value_width: int,
    query_rank: int | None,
    has_biases: bool,
) -> Any:
    """Low ranks with their norms for queries, keys and values, one rotary key for all heads (without the rotation)."""
    import torch
    from torch import nn

    width, query_width = shape[1], heads * (head_width + rotary_width)

    def run(self: Any, x: Any) -> Any:
        low, rotary = self.down(x).split([key_value_rank, rotary_width], -1)
        low = self.key_value_norm(low)
        rotary = rotary.unsqueeze(1).expand(-1, heads, -1, -1)
        keys = torch.cat([split(self.key_up(low), heads), rotary], -1)
        queries = self.query_up(self.query_norm(self.query_down(x))) if query_rank else self.query_up(x)
        rows = split(queries, heads), keys, split(self.value_up(low), heads)
        return self.out(joined(attended(*rows, is_causal=True)))

    parts = {}
    if query_rank:
        parts = {"query_down": nn.Linear(width, query_rank, bias=has_biases), "query_norm": nn.RMSNorm(query_rank)}
    return wired(
        run,
        query_up=nn.Linear(query_rank or width, query_width, bias=False),
        down=nn.Linear(width, key_value_rank + rotary_width, bias=has_biases),
        key_value_norm=nn.RMSNorm(key_value_rank),
        key_up=nn.Linear(key_value_rank, heads * head_width, bias=False),
        value_up=nn.Linear(key_value_rank, heads * value_width, bias=False),
        out=nn.Linear(heads * value_width, width, bias=has_biases),
        **parts,
    )


@builder
def window_attention(
    shape: Sequence[int], held: Held, *, heads: int, head_width: int, window: int, has_biases: bool, bias_entries: int
) -> Any:
    """Windows as a batch, as Swin does, with a learned bias for each relative position; maps are padded to whole windows."""
    import torch
    from torch import nn
    from torch.nn import functional as F  # noqa: N812

    width, height, across = shape
    inner, area = heads * head_width, window * window
    pad = (0, -across % window, 0, -height % window)

    def run(self: Any, x: Any) -> Any:
        cut = F.pad(x, pad).unflatten(3, (-1, window)).unflatten(2, (-1, window))
        down, right = cut.shape[2], cut.shape[4]
        places = cut.permute(0, 2, 4, 3, 5, 1).reshape(-1, area, width)
        rows = [split(each(places), heads) for each in (self.queries, self.keys, self.values)]
        mask = {"attn_mask": self.bias[self.index].permute(2, 0, 1).to(rows[0].dtype)} if bias_entries else {}
        out = self.out(joined(attended(*rows, **mask))).view(-1, down, right, window, window, width)
        whole = out.permute(0, 5, 1, 3, 2, 4).flatten(4, 5).flatten(2, 3)
        return whole[:, :, :height, :across]

    parts = {name: nn.Linear(width, inner, bias=has_biases) for name in ("queries", "keys", "values")}
    if bias_entries:
        parts["bias"] = nn.Parameter(torch.zeros(bias_entries, heads))
    made = wired(run, out=nn.Linear(inner, width, bias=has_biases), **parts)
    if bias_entries:
        made.register_buffer("index", torch.arange(area * area).view(area, area) % bias_entries)
    return made


@builder
def source_attention(
    shape: Sequence[int],
    held: Held,
    *,
    source_positions: int,
    source_width: int,
    state_width: int,
    attention_width: int | None,
) -> Any:
    """All positions at once, their inputs standing in for the decoder's states: a projection to the states' width first."""
    raise UnbuildableError("source_attention: a decoder that attends step by step has no module here")
