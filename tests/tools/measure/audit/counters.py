"""The public FLOP counters, each called as its own documentation shows.

A counter takes a case and a pass and returns its count, or raises. It runs in its own process for each case, because
several counters patch torch and leave it patched after an error.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from pipeline.site.report import counters as documented
from tests.tools.measure.audit.case import Case

BACKWARD = ("backward", "first_backward")


class Counted(NamedTuple):
    """A counter's number, and the part that the counter itself calls elementwise, or None if it does not separate that part."""

    total: float
    elementwise: float | None = None


Count = Callable[[Case, str], Counted]


@dataclass(frozen=True)
class Counter:
    """A counter of `pipeline.site.report.counters.COUNTERS`, and how to call it.

    By its own documentation, a multiply-add counts as `multiply_add`, and `is_per_example` counters give one example of
    a batch. If it could not be run, `count` is None, and there are the pip arguments that were tried, a `reason`, or
    both.
    """

    name: str
    count: Count | None = None
    imports: str = ""
    multiply_add: int = 2
    counts_backward: bool = False
    is_per_example: bool = False
    tried: tuple[tuple[str, ...], ...] = ()
    reason: str = ""

    @property
    def package(self) -> str:
        """Return the package that contains it."""
        return documented.COUNTERS[self.name][0]


def example(case: Case, which: str = "forward", device: str = "cpu") -> tuple[Any, list[Any]]:
    """Return the case's module and inputs of one batch; for the pass `backward`, the inputs need a gradient."""
    import torch

    torch.manual_seed(0)
    module = case.module()
    if case.source is None:
        module = torch.nn.Sequential(module)  # some counters see only submodules
    module = module.to(device)
    module.train(which in BACKWARD)
    if case.vocabulary:
        return module, [torch.randint(case.vocabulary, (case.batch, *case.shape), device=device)]
    shapes = [case.shape] if case.source is None else [case.shape, case.source]
    inputs = [torch.randn(case.batch, *shape, device=device) for shape in shapes]
    return module, [each.requires_grad_(which == "backward") for each in inputs]


def _around(case: Case, which: str, device: str, watch: Callable[[], Any]) -> Any:
    """Run one pass, and nothing else, in the context that `watch` makes, and return that context."""
    import torch

    module, inputs = example(case, which, device)
    if which == "forward":
        with watch() as seen:
            module(*inputs)
        return seen
    out = module(*inputs)
    gradient = torch.ones_like(out)
    with watch() as seen:
        out.backward(gradient)
    return seen


def _flop_counter_mode(device: str) -> Count:
    def count(case: Case, which: str) -> Counted:
        from torch.utils.flop_counter import FlopCounterMode

        return Counted(_around(case, which, device, lambda: FlopCounterMode(display=False)).get_total_flops(), 0)

    return count


def _events(seen: Any) -> Counted:
    events = [(each.key, each.flops or 0) for each in seen.key_averages()]
    return Counted(
        sum(flop for _, flop in events), sum(flop for name, flop in events if name in ("aten::add", "aten::mul"))
    )


def _torch_profiler(case: Case, which: str) -> Counted:
    import torch

    activities = [torch.profiler.ProfilerActivity.CPU]
    return _events(_around(case, which, "cpu", lambda: torch.profiler.profile(activities=activities, with_flops=True)))


def _autograd_profiler(case: Case, which: str) -> Counted:
    import torch

    return _events(_around(case, which, "cpu", lambda: torch.autograd.profiler.profile(with_flops=True)))


def _fvcore(case: Case, which: str) -> Counted:
    from fvcore.nn import FlopCountAnalysis

    module, inputs = example(case)
    analysis = FlopCountAnalysis(module, tuple(inputs))
    analysis.unsupported_ops_warnings(False).uncalled_modules_warnings(False)
    products = ("addmm", "bmm", "conv", "einsum", "linear", "matmul", "mm")
    elementwise = sum(flop for name, flop in analysis.by_operator().items() if name not in products)
    return Counted(analysis.total(), elementwise)


def _ptflops(backend: str) -> Count:
    def count(case: Case, which: str) -> Counted:
        from ptflops import get_model_complexity_info

        module, inputs = example(case)
        given = inputs[0] if len(inputs) == 1 else dict(zip(("x", "source"), inputs, strict=True))
        found, _ = get_model_complexity_info(
            module,
            case.shape,
            as_strings=False,
            print_per_layer_stat=False,
            input_constructor=lambda _: given,
            backend=backend,
        )
        if found is None:
            raise RuntimeError("gives no number")
        return Counted(found)

    return count


def _pthflops(mode: str) -> Count:
    def count(case: Case, which: str) -> Counted:
        from pthflops import count_ops

        module, inputs = example(case)
        if len(inputs) > 1:
            raise ValueError("count_ops takes one input")
        return Counted(count_ops(module, inputs[0], mode=mode, print_readable=False, verbose=False)[0])

    return count


def _calflops(case: Case, which: str) -> Counted:
    from calflops import calculate_flops

    def count(with_backward: bool) -> float:
        module, inputs = example(case)
        return float(
            calculate_flops(
                model=module,
                args=inputs,
                include_backPropagation=with_backward,
                print_results=False,
                output_as_string=False,
            )[0]
        )

    return Counted(count(False) if which == "forward" else count(True) - count(False))


def _torchinfo(case: Case, which: str) -> Counted:
    from torchinfo import summary

    module, inputs = example(case)
    return Counted(summary(module, input_data=inputs, verbose=0).total_mult_adds)


def _thop(case: Case, which: str) -> Counted:
    from thop import profile

    module, inputs = example(case)
    return Counted(profile(module, inputs=tuple(inputs), verbose=False)[0])


def _deepspeed(case: Case, which: str) -> Counted:
    from deepspeed.profiling.flops_profiler import get_model_profile

    module, inputs = example(case)
    return Counted(get_model_profile(module, args=inputs, print_profile=False, as_string=False)[0])


COUNTERS = (
    Counter("FlopCounterMode on CPU", _flop_counter_mode("cpu"), "torch", counts_backward=True),
    Counter("FlopCounterMode on meta", _flop_counter_mode("meta"), "torch", counts_backward=True),
    Counter("torch.profiler", _torch_profiler, "torch", counts_backward=True),
    Counter("autograd.profiler", _autograd_profiler, "torch", counts_backward=True),
    Counter("fvcore", _fvcore, "fvcore.nn", 1),
    Counter("ptflops (pytorch)", _ptflops("pytorch"), "ptflops", 1, is_per_example=True),
    Counter("ptflops (aten)", _ptflops("aten"), "ptflops", 1),
    Counter("pthflops (fx)", _pthflops("fx"), "pthflops"),
    Counter("pthflops (jit)", _pthflops("jit"), "pthflops"),
    Counter("calflops", _calflops, "calflops", counts_backward=True),
    Counter("torchinfo", _torchinfo, "torchinfo", 1),
    Counter("thop", _thop, "thop", 1),
    Counter("DeepSpeed", _deepspeed, "deepspeed.profiling.flops_profiler"),
    Counter("dlprof", tried=(("dlprof",), ("nvidia-dlprof",))),
    Counter(
        "pyprof",
        tried=(("nvidia-pyprof",),),
        reason="`pip install pyprof` gets another project of that name, a timer of Python functions.",
    ),
    Counter(
        "TensorFlow profiler",
        reason="It counts TensorFlow graphs. The cases are torch modules; rewriting them would audit the rewriting.",
    ),
)
