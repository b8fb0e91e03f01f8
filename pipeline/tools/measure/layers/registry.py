"""The registry of torch modules, with one function per layer kind in `pipeline.formulas.layers`.

The functions import torch; this module does not, so planning, reports and their tests run without torch.
"""

from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from typing import Any

from pipeline.formulas.layers import KINDS

Builder = Callable[..., Any]
MODULES: dict[str, Builder] = {}
# `build` handles these, which say that a layer shares weights with another.
OF_THE_NETWORK = ("is_shared", "is_tied")


class UnbuildableError(ValueError):
    """A layer for which we have no torch module. The message names the layer and the reason."""


def register(kind: str, builder: Builder) -> None:
    """Register a function as the builder of a layer kind. Raise TypeError if the kind already has one."""
    if kind in MODULES:
        raise TypeError(f"two torch modules are registered for {kind}")
    MODULES[kind] = builder


def module(builder: Builder) -> Builder:
    """Register a function as the builder of the layer kind with the same name."""
    register(builder.__name__, builder)
    return builder


def torch_module(kind: str, shape: Sequence[float], arguments: Mapping[str, Any], **settings: Any) -> Any:
    """Return the torch module for one layer, on torch's default device and with torch's default initial weights.

    `shape` is the layer's input shape without the batch. Missing arguments get the formula's defaults. `settings` are
    arguments of the builder that the layer kind lacks. Raise UnbuildableError if the kind has no module, or if its module
    lacks an argument.
    """
    if kind not in MODULES:
        raise UnbuildableError(f"layer kind {kind} has no torch module here")
    if any(axis != int(axis) for axis in shape):
        raise UnbuildableError(f"{kind}: a mean length ({shape[0]:g}) is no shape")
    known = signature(KINDS[kind]).parameters
    given = {name: argument.default for name, argument in known.items() if name != "shape"} | dict(arguments)
    settled = {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}
    for name in OF_THE_NETWORK:
        settled.pop(name, None)
    taken = signature(MODULES[kind]).parameters
    if not any(argument.kind is argument.VAR_KEYWORD for argument in taken.values()):
        lacking = [name for name in settled if name not in taken and settled[name] != known[name].default]
        if lacking:
            raise UnbuildableError(f"{kind}: its torch module has no {', '.join(lacking)}")
        settled = {name: value for name, value in settled.items() if name in taken}
    return MODULES[kind](tuple(int(axis) for axis in shape), **settled, **settings)


def wired(run: Callable[..., Any], inputs: int = 1, **parts: Any) -> Any:
    """Return a module with these attributes. Its forward pass is `run(module, x)`, or `run(module, x, source)` for two inputs."""
    from torch import nn

    class One(nn.Module):
        def forward(self, x):
            return run(self, x)

    class Two(nn.Module):
        def forward(self, x, source):
            return run(self, x, source)

    layer = One() if inputs == 1 else Two()
    for name, part in parts.items():
        setattr(layer, name, part)
    return layer
