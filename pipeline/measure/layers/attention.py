"""Attention of sequences and of windows, by scaled_dot_product_attention."""

from collections.abc import Callable, Sequence
from typing import Any

from pipeline.measure.layers.registry import UnbuildableError, module, wired


def split(x: Any, heads: int) -> Any:
    """Batch x positions x width as batch x heads x positions x head width."""
    return x.unflatten(-1, (heads, -1)).transpose(1, 2)


def joined(x: Any) -> Any:
    """The heads side by side again: batch x positions x width."""
    return x.transpose(1, 2).flatten(2)


def fused(queries: Any, keys: Any, values: Any, **settings: Any) -> Any:
    """F.scaled_dot_product_attention of heads."""
    from torch.nn import functional as F  # noqa: N812

    return F.scaled_dot_product_attention(queries, keys, values, **settings)


@module
def self_attention(
    shape: Sequence[int],
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
    attend: Callable[..., Any] = fused,
) -> Any:
    """Projections, attention, a projection; a window is a mask, which saves no operation.

    `attend(queries, keys, values, **settings)` takes heads, and settings of scaled_dot_product_attention.
    """
    import torch
    from torch import nn

    length, width = shape
    groups, value = key_value_heads or heads, value_width or head_width
    has_into = has_biases or has_input_biases
    settings: dict[str, Any] = {"enable_gqa": True} if groups != heads else {}
    is_masked = window is not None and window < length
    if is_causal and not is_masked:
        settings["is_causal"] = True

    def forward(self: Any, x: Any) -> Any:
        queries, keys = split(self.queries(x), heads), split(self.keys(x), groups)
        if norm_parameters:
            scale = self.norm.sum()  # their number depends on the model: one a head, a width or all of it
            queries, keys = queries * scale, keys * scale
        mask = {"attn_mask": self.seen} if is_masked else {}
        return self.out(joined(attend(queries, keys, split(self.values(x), groups), **settings, **mask)))

    parts = {"norm": nn.Parameter(torch.full((norm_parameters,), 1 / norm_parameters))} if norm_parameters else {}
    made = wired(
        forward,
        queries=nn.Linear(width, heads * head_width, bias=has_into),
        keys=nn.Linear(width, groups * head_width, bias=has_into and has_key_bias),
        values=nn.Linear(width, groups * value, bias=has_into),
        out=nn.Linear(heads * value, width, bias=has_biases),
        **parts,
    )
    if is_masked:
        distance = torch.arange(length)[:, None] - torch.arange(length)
        seen = (distance >= 0) & (distance < window) if is_causal else distance.abs() <= window // 2
        made.register_buffer("seen", seen)
    return made


@module
def cross_attention(
    shape: Sequence[int],
    *,
    source_positions: float,
    source_width: int,
    heads: int,
    head_width: int,
    has_biases: bool,
    has_key_bias: bool,
) -> Any:
    """Queries of one input, keys and values of a second one."""
    from torch import nn

    inner = heads * head_width

    def forward(self: Any, x: Any, source: Any) -> Any:
        rows = split(self.queries(x), heads), split(self.keys(source), heads), split(self.values(source), heads)
        return self.out(joined(fused(*rows)))

    return wired(
        forward,
        2,
        queries=nn.Linear(shape[1], inner, bias=has_biases),
        keys=nn.Linear(source_width, inner, bias=has_biases and has_key_bias),
        values=nn.Linear(source_width, inner, bias=has_biases),
        out=nn.Linear(inner, shape[1], bias=has_biases),
    )


@module
def latent_attention(
    shape: Sequence[int],
    *,
    heads: int,
    key_value_rank: int,
    head_width: int,
    rotary_width: int,
    value_width: int,
    query_rank: int | None,
    has_biases: bool,
    index_heads: int | None,
    index_width: int | None,
    selected_keys: int | None,
) -> Any:
    """Low ranks with their norms for queries, keys and values, one rotary key for all heads (without the rotation).

    Keys that the indexer does not select are masked, which saves no operation.
    """
    import torch
    from torch import nn

    width, query_width = shape[1], heads * (head_width + rotary_width)
    selected = min(selected_keys or shape[0], shape[0])

    def selection(self: Any, x: Any, low_queries: Any) -> Any:
        queries, keys = split(self.index_queries(low_queries), index_heads), self.index_norm(self.index_keys(x))
        sums = (torch.relu(queries @ keys.unsqueeze(1).transpose(-1, -2)) * self.index_weights(x).mT.unsqueeze(-1)).sum(
            1
        )
        sums = sums.masked_fill(torch.ones_like(sums).triu(1).bool(), -torch.inf)
        return torch.full_like(sums, -torch.inf).scatter(-1, sums.topk(selected).indices, 0).unsqueeze(1)

    def forward(self: Any, x: Any) -> Any:
        down = self.down(x)
        low = self.key_value_norm(down[..., :key_value_rank])
        rotary = down[..., key_value_rank:].unsqueeze(1).expand(-1, heads, -1, -1)
        keys = torch.cat([split(self.key_up(low), heads), rotary], -1)
        low_queries = self.query_norm(self.query_down(x)) if query_rank else x
        rows = split(self.query_up(low_queries), heads), keys, split(self.value_up(low), heads)
        mask = {"attn_mask": selection(self, x, low_queries)} if index_heads else {"is_causal": True}
        return self.out(joined(fused(*rows, **mask)))

    parts = {}
    if query_rank:
        parts = {"query_down": nn.Linear(width, query_rank, bias=has_biases), "query_norm": nn.RMSNorm(query_rank)}
    if index_heads and index_width:
        parts |= {
            "index_queries": nn.Linear(query_rank or width, index_heads * index_width, bias=False),
            "index_keys": nn.Linear(width, index_width, bias=False),
            "index_norm": nn.LayerNorm(index_width),
            "index_weights": nn.Linear(width, index_heads, bias=False),
        }
    return wired(
        forward,
        query_up=nn.Linear(query_rank or width, query_width, bias=False),
        down=nn.Linear(width, key_value_rank + rotary_width, bias=has_biases),
        key_value_norm=nn.RMSNorm(key_value_rank),
        key_up=nn.Linear(key_value_rank, heads * head_width, bias=False),
        value_up=nn.Linear(key_value_rank, heads * value_width, bias=False),
        out=nn.Linear(heads * value_width, width, bias=has_biases),
        **parts,
    )


@module
def source_attention(shape: Sequence[int], **arguments: Any) -> Any:
    """No module: raises UnbuildableError."""
    raise UnbuildableError("source_attention: a decoder that attends step by step has no module here")
