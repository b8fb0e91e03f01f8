"""Attention to another sequence, and through low ranks."""

from collections.abc import Sequence
from typing import Any

from pipeline.tools.measure.layers.attention import fused, joined, split
from pipeline.tools.measure.layers.registry import UnbuildableError, module, wired


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
    """Return queries of one input, with keys and values of a second one."""
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
    """Raise UnbuildableError, because there is no module."""
    raise UnbuildableError("source_attention: a decoder that attends step by step has no module here")
