"""Count any torch network with torch.utils.flop_counter, on the meta device: without weights or computing.

`count torch:torchvision.models:swin_v2_t` imports a module and calls a function without arguments, and so does
`count torch:my_network.py:MyNetwork` with a file. Unlike configs, this runs the named code.
"""

import inspect
import io
import re
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from functools import partial
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from pipeline.architectures.files import CountError
from pipeline.formulas.totals import Totals
from schemas.spelling import nearest

PREFIX = "torch:"
WAY_ON = "count torch:FILE.py:FUNCTION instead, a function without arguments that returns the network"
WAY_ON_WITH_INPUTS = (
    f"state --sequence-length for tokens, --image-size 112x112x16 for a video, or {WAY_ON},"
    " next to a function inputs that returns what the network takes"
)
FLOOR = ": the counts are a floor"
OF_VALUES = re.compile("meta tensor|data-(in)?dependent", re.IGNORECASE)  # what torch says of tensors without values
PRODUCTS = re.compile("_?(fft|linalg|trilinear|cdist|grouped_mm|mkldnn|scaled_dot)|(mv|addmv|dot|vdot|lstm|gru)$")
# Operations with weights that only look them up, move them or scale by them.
NO_PRODUCTS = re.compile(
    "_?embedding|.*norm|cat$|stack$|index|gather|clone$|_?to_copy$|copy_|repeat|roll|constant_pad|.*view"
)


def count_module(
    what: str, image_size: int | str | None, length: int | None, batch: int
) -> tuple[Totals, dict[str, Totals], list[str]]:
    """Return the FLOP of a batch, in total and by torch's operation, and what the count leaves out.

    The input is one image, or token ids if `length` is given, or what a function `inputs` of a file returns. Raise
    CountError, in one line, if the module cannot be counted.
    """
    try:
        import torch
    except ImportError:
        raise CountError(f"{what}: torch is not installed; install it next to this package") from None
    source, _, name = what.removeprefix(PREFIX).rpartition(":")
    if not source:
        raise CountError(f"{what}: state torch:MODULE:FUNCTION or torch:FILE.py:FUNCTION")
    way_on = WAY_ON
    try:
        with torch.device("meta"), _no_connections():
            home, build = _builder(source, name)
            try:
                network = build()
            except NotImplementedError:  # it reads values while it is built, and meta tensors have none
                with torch.device("cpu"):
                    network = build().to("meta")
            if not isinstance(network, torch.nn.Module):
                raise CountError(f"{name}() returns a {type(network).__name__}, not a torch.nn.Module")
            network.eval()
            sides = str(image_size or 224).split("x")
            across, down, *frames = map(int, sides if len(sides) > 1 else sides * 2)
            image = (batch, 3, *frames, down, across)
            given = (torch.zeros(batch, length, dtype=torch.long) if length else torch.zeros(*image),)
            inputs = home.inputs() if source.endswith(".py") and hasattr(home, "inputs") else given
            # On a processor, torch runs kernels that its counter does not know, such as a whole LSTM.
            if {tensor.device.type for tensor in (*network.parameters(), *_tensors(inputs))} - {"meta"}:
                raise CountError("has tensors outside torch's device meta, since it sets their `device`")
            way_on = WAY_ON if inputs is not given else WAY_ON_WITH_INPUTS
            (forward, backward), lacking = _passes(network, inputs)
    except (Exception, SystemExit) as problem:  # the named code may raise anything
        kind = "" if isinstance(problem, CountError) else f"cannot be counted: {type(problem).__name__}: "
        way_on = "install its package next to this one" if isinstance(problem, ModuleNotFoundError) else way_on
        reason = " ".join(f"{kind}{problem}".split())[:240]
        raise CountError(f"{what}: {reason}{' Otherwise' if reason.endswith('?') else ';'} {way_on}") from None
    kinds = {
        str(kind).removeprefix("aten."): (forward.get(kind, 0), backward.get(kind, 0))
        for kind in {**forward, **backward}
    }
    parameters = sum(weights.numel() for weights in network.parameters())
    total = _totals(parameters, sum(forward.values()), sum(backward.values()))
    return total, {kind: _totals(0, *flop) for kind, flop in kinds.items()}, lacking


def _passes(network: Any, inputs: tuple[Any, ...]) -> tuple[list[dict[Any, int]], list[str]]:
    """Return the FLOP of a forward and of a backward pass, by operation, and sentences about what they lack.

    A detector chooses boxes by values, which meta tensors lack. What runs before it does is counted.
    """
    from torch import ops, zeros
    from torch.nn.modules.module import register_module_forward_hook
    from torch.utils.flop_counter import FlopCounterMode

    corrected = {ops.aten.convolution_backward: _convolution_backward}
    outputs, lacking = list[Any](), list[str]()
    handle = register_module_forward_hook(lambda _module, _inputs, output: outputs.append(output))
    with FlopCounterMode(display=False) as forward, _unknown_operations() as unknown:
        try:
            outputs = [network(*inputs)]
        except (NotImplementedError, RuntimeError) as problem:
            if not outputs or not OF_VALUES.search(str(problem)):
                raise
            lacking.append(f"what follows once it reads values, which are not computed here{FLOOR}")
        finally:
            handle.remove()
    lacking += [f"{name}, for which torch has no formula{FLOOR}" for name in unknown]
    learned = [tensor.sum() for tensor in _tensors(outputs) if tensor.requires_grad]
    with FlopCounterMode(display=False, custom_mapping=corrected) as backward:
        try:
            sum(learned, start=zeros((), requires_grad=True)).backward()
            lacking += _unused_parameters(network)
        except RuntimeError as problem:  # an operation without gradients
            reason = str(problem).partition(".  ")[0].split("\n")[0][:120]
            lacking.append(f"the backward pass, of which torch says: {reason}")
    return [dict(mode.get_flop_counts().get("Global", {})) for mode in (forward, backward)], lacking


def _unused_parameters(network: Any) -> list[str]:
    """Return a sentence about the parameters that a backward pass did not reach, such as those of auxiliary heads."""
    weights_by_name = dict(network.named_parameters())
    unused = {name: one.numel() for name, one in weights_by_name.items() if one.requires_grad and one.grad is None}
    parts = ", ".join(dict.fromkeys(name.split(".")[0] for name in unused))
    return [f"{sum(unused.values()):,} parameters of {parts}, which these passes do not use{FLOOR}"] if unused else []


@contextmanager
def _unknown_operations() -> Iterator[list[str]]:
    """Collect the names of operations that are products or have weights, and that torch's counter does not know."""
    from torch import Tensor
    from torch.nn import Parameter
    from torch.utils._python_dispatch import TorchDispatchMode
    from torch.utils._pytree import tree_leaves
    from torch.utils.flop_counter import flop_registry

    unknown: list[str] = []

    class Watch(TorchDispatchMode):
        def __torch_dispatch__(self, operation: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            space, _, name = operation.overloadpacket._qualified_op_name.partition("::")
            is_plain = {"pointwise", "reduction"} & {tag.name for tag in operation.tags}
            tensors = [leaf for leaf in tree_leaves((args, kwargs)) if isinstance(leaf, Tensor) and leaf.dim() > 1]
            # A view of a weight has the weight as its base.
            has_weights = any(Parameter in (type(tensor), type(getattr(tensor, "_base", None))) for tensor in tensors)
            is_product = PRODUCTS.match(name) or (has_weights and not NO_PRODUCTS.match(name))
            is_view = any(value.alias_info for value in operation._schema.returns)
            is_known = operation.overloadpacket in flop_registry or is_plain or is_view
            if not is_known and (space != "aten" or is_product) and f"{space}.{name}" not in unknown:
                unknown.append(f"{space}.{name}")
            return operation(*args, **(kwargs or {}))

    with Watch():
        yield unknown


def _convolution_backward(grad: Any, image: Any, weights: Any, *rest: Any, **_: Any) -> int:
    """Return the FLOP of a convolution's gradients. Torch's own formula ignores groups in that of the weights."""
    from torch.utils.flop_counter import conv_flop_count

    *_, is_transposed, _, _, wanted = rest[:8]
    return int(sum(wanted[:2])) * int(conv_flop_count(image, weights, grad, transposed=is_transposed))


def _totals(parameters: int, forward: float, backward: float) -> Totals:
    return Totals(parameters, parameters, forward, forward, 0, backward)


@contextmanager
def _no_connections() -> Iterator[None]:
    """Refuse connections, and hide what the named code prints."""

    def refuse(*_: Any, **_named: Any) -> None:
        raise CountError("downloads something, and nothing is downloaded here")

    usual = socket.getaddrinfo, socket.socket.connect
    socket.getaddrinfo = socket.socket.connect = refuse  # type: ignore[assignment, method-assign]
    try:
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            yield
    finally:
        socket.getaddrinfo, socket.socket.connect = usual  # type: ignore[method-assign]


def _builder(source: str, name: str) -> tuple[ModuleType, Callable[[], Any]]:
    """Return a module, and what builds the network without weights. Raise CountError if there is none."""
    if source.endswith(".py"):
        spec = spec_from_file_location(Path(source).stem, source)
        assert spec is not None
        assert spec.loader is not None
        home = sys.modules[spec.name] = module_from_spec(spec)
        spec.loader.exec_module(home)
    else:
        home = import_module(source)
    build = getattr(home, name, None)
    if not callable(build):
        hint = nearest(name, [word for word, value in vars(home).items() if callable(value)], longest_list=0)
        raise CountError(f"{source} has no function {name}{hint}")
    signature = inspect.signature(build)
    try:
        signature.bind()
    except TypeError as problem:
        raise CountError(f"{name}() is {problem}") from None
    weights = (key for key, parameter in signature.parameters.items() if hasattr(parameter.default, "get_state_dict"))
    return home, partial(build, **dict.fromkeys(weights))


def _tensors(output: Any) -> Iterator[Any]:
    """Yield the tensors in a network's output, however nested."""
    if hasattr(output, "requires_grad"):
        yield output
    elif isinstance(output, dict):
        for part in output.values():
            yield from _tensors(part)
    elif isinstance(output, list | tuple):
        for part in output:
            yield from _tensors(part)
