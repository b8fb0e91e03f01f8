"""Attention within parts of a map or grid, and products over the corners of a grid."""

from collections.abc import Sequence
from typing import Any

from pipeline.tools.measure.layers.attention import fused, joined, split
from pipeline.tools.measure.layers.registry import module, wired


@module
def window_attention(
    shape: Sequence[int], *, heads: int, head_width: int, window: int, has_biases: bool, bias_entries: int
) -> Any:
    """Windows as a batch, as in Swin, with a learned bias for each relative position; a map is padded to whole windows."""
    import torch
    from torch import nn
    from torch.nn import functional as F  # noqa: N812

    width, height, across = shape
    inner, area = heads * head_width, window * window
    pad = (0, -across % window, 0, -height % window)

    def forward(self: Any, x: Any) -> Any:
        cut = (F.pad(x, pad) if any(pad) else x).unflatten(3, (-1, window)).unflatten(2, (-1, window))
        down, right = cut.shape[2], cut.shape[4]
        places = cut.permute(0, 2, 4, 3, 5, 1).reshape(-1, area, width)
        rows = [split(each(places), heads) for each in (self.queries, self.keys, self.values)]
        mask = {"attn_mask": self.bias[self.index].permute(2, 0, 1).to(rows[0].dtype)} if bias_entries else {}
        out = self.out(joined(fused(*rows, **mask))).view(-1, down, right, window, window, width)
        whole = out.permute(0, 5, 1, 3, 2, 4).flatten(4, 5).flatten(2, 3)
        return whole[:, :, :height, :across]

    parts = {name: nn.Linear(width, inner, bias=has_biases) for name in ("queries", "keys", "values")}
    if bias_entries:
        parts["bias"] = nn.Parameter(torch.zeros(bias_entries, heads))
    made = wired(forward, out=nn.Linear(inner, width, bias=has_biases), **parts)
    if bias_entries:
        made.register_buffer("index", torch.arange(area * area).view(area, area) % bias_entries)
    return made


@module
def attention_pool2d(shape: Sequence[int], *, heads: int, out_features: int) -> Any:
    """CLIP's pooling: the mean over places attends to itself and to every place."""
    import torch
    from torch import nn

    width = shape[0]

    def forward(self: Any, x: Any) -> Any:
        places = x.flatten(2).transpose(1, 2)
        places = torch.cat([places.mean(1, keepdim=True), places], 1) + self.positions
        rows = self.query(places[:, :1]), self.keys(places), self.values(places)
        return self.out(joined(fused(*(split(row, heads) for row in rows)))).flatten(1)

    positions = nn.Parameter(torch.randn(shape[1] * shape[2] + 1, width))
    parts = {name: nn.Linear(width, width) for name in ("query", "keys", "values")}
    return wired(forward, positions=positions, out=nn.Linear(width, out_features), **parts)


@module
def axial_attention(shape: Sequence[int], *, heads: int, head_width: int, is_over_columns: bool) -> Any:
    """Rows, or columns, as a batch; a gate before the projection back."""
    from torch import nn

    width, inner = shape[2], heads * head_width

    def forward(self: Any, x: Any) -> Any:
        turned = x.transpose(1, 2) if is_over_columns else x
        lines = turned.flatten(0, 1)
        rows = (split(each(lines), heads) for each in (self.queries, self.keys, self.values))
        out = self.out(joined(fused(*rows)) * self.gate(lines).sigmoid()).view_as(turned)
        return out.transpose(1, 2) if is_over_columns else out

    parts = {name: nn.Linear(width, inner, bias=False) for name in ("queries", "keys", "values")}
    return wired(forward, gate=nn.Linear(width, inner), out=nn.Linear(inner, width), **parts)


@module
def triangle_multiplication(shape: Sequence[int], *, width: int) -> Any:
    """Two gated projections, an einsum over the third corner, a gated projection back."""
    import torch
    from torch import nn

    def forward(self: Any, x: Any) -> Any:
        left, right = self.left(x) * self.left_gate(x).sigmoid(), self.right(x) * self.right_gate(x).sigmoid()
        return self.out(self.norm(torch.einsum("bikc,bjkc->bijc", left, right))) * self.gate(x).sigmoid()

    inner = shape[2]
    parts = {name: nn.Linear(inner, width) for name in ("left", "left_gate", "right", "right_gate")}
    return wired(forward, norm=nn.LayerNorm(width), out=nn.Linear(width, inner), gate=nn.Linear(inner, inner), **parts)


@module
def outer_product_mean(shape: Sequence[int], *, width: int, out_features: int) -> Any:
    """Two projections, an einsum over rows, a projection."""
    import torch
    from torch import nn

    def forward(self: Any, x: Any) -> Any:
        return self.out(torch.einsum("bsic,bsjd->bijcd", self.left(x), self.right(x)).flatten(3) / shape[0])

    left, right = nn.Linear(shape[2], width), nn.Linear(shape[2], width)
    return wired(forward, left=left, right=right, out=nn.Linear(width * width, out_features))
