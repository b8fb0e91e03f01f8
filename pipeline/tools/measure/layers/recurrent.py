"""Recurrent layers."""

from collections.abc import Sequence
from typing import Any

from pipeline.tools.measure.layers.registry import Builder, UnbuildableError, register, wired


def recurrent(kind: str) -> Builder:
    """Return a builder for nn.LSTM, nn.GRU or nn.RNN."""

    def built(
        shape: Sequence[int], *, width: int, bias_vectors: int, is_bidirectional: bool, projection: int | None = None
    ) -> Any:
        """Return the module for one layer."""
        from torch import nn

        if bias_vectors == 1:
            raise UnbuildableError(f"{kind}: torch's has two bias vectors a gate or none; state bias_vectors: 2")
        sizes = {"proj_size": projection} if projection else {}
        layer = getattr(nn, kind.upper())(
            shape[1], width, bias=bias_vectors > 0, batch_first=True, bidirectional=is_bidirectional, **sizes
        )
        return wired(lambda self, x: self.layer(x)[0], layer=layer)

    return built


register("lstm", recurrent("lstm"))
