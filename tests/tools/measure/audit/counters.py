"""The public FLOP counters, each called as its own documentation shows.

A counter takes a case and a pass and returns its count, or raises. Several patch torch and leave it patched after an
error, so that each count has a process of its own.
"""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Counter:
    """How to call a counter of `pipeline.site.report.counters.COUNTERS`, or the `reason` why it was not run.

    By its own documentation, a multiply-add counts as `multiply_add`, and `is_per_example` counters give one example of
    a batch.
    """

    count: Callable | None = None
    imports: str = "torch"
    multiply_add: int = 2
    counts_backward: bool = False
    is_per_example: bool = False
    reason: str = ""


def _example(case):
    from tests.tools.measure.audit.in_torch import example

    return example(case)


def _around(case, which, device, watch):
    """Run one pass, and nothing else, in the context that `watch` makes, and return that context."""
    import torch

    from tests.tools.measure.audit.in_torch import example

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


def _flop_counter_mode(device):
    def count(case, which):
        from torch.utils.flop_counter import FlopCounterMode

        return _around(case, which, device, lambda: FlopCounterMode(display=False)).get_total_flops()

    return count


def _torch_profiler(case, which):
    import torch

    activities = [torch.profiler.ProfilerActivity.CPU]
    seen = _around(case, which, "cpu", lambda: torch.profiler.profile(activities=activities, with_flops=True))
    return sum(event.flops or 0 for event in seen.key_averages())


def _fvcore(case, which):
    from fvcore.nn import FlopCountAnalysis

    module, inputs = _example(case)
    return FlopCountAnalysis(module, tuple(inputs)).unsupported_ops_warnings(False).total()


def _ptflops(backend):
    def count(case, which):
        from ptflops import get_model_complexity_info

        module, inputs = _example(case)
        given = inputs[0] if len(inputs) == 1 else dict(zip(("x", "source"), inputs, strict=True))
        settings = {"as_strings": False, "print_per_layer_stat": False, "input_constructor": lambda _: given}
        found, _ = get_model_complexity_info(module, case.shape, backend=backend, **settings)
        if found is None:
            raise RuntimeError("gives no number")
        return found

    return count


def _pthflops(case, which):
    from pthflops import count_ops

    module, inputs = _example(case)
    if len(inputs) > 1:
        raise ValueError("count_ops takes one input")
    return count_ops(module, inputs[0], mode="fx", print_readable=False, verbose=False)[0]


def _calflops(case, which):
    from calflops import calculate_flops

    def count(with_backward):
        module, inputs = _example(case)
        settings = {"include_backPropagation": with_backward, "print_results": False, "output_as_string": False}
        return calculate_flops(model=module, args=inputs, **settings)[0]

    return count(False) if which == "forward" else count(True) - count(False)


def _torchinfo(case, which):
    from torchinfo import summary

    module, inputs = _example(case)
    return summary(module, input_data=inputs, verbose=0).total_mult_adds


def _thop(case, which):
    from thop import profile

    module, inputs = _example(case)
    return profile(module, inputs=tuple(inputs), verbose=False)[0]


def _deepspeed(case, which):
    from deepspeed.profiling.flops_profiler import get_model_profile

    module, inputs = _example(case)
    return get_model_profile(module, args=inputs, print_profile=False, as_string=False)[0]


PLACEHOLDER = "the package is only a placeholder project on PyPI.org"
COUNTERS = {
    "FlopCounterMode on CPU": Counter(_flop_counter_mode("cpu"), counts_backward=True),
    "FlopCounterMode on meta": Counter(_flop_counter_mode("meta"), counts_backward=True),
    "torch.profiler": Counter(_torch_profiler, counts_backward=True),
    "autograd.profiler": Counter(reason="With torch 2.13.0 it gave the number of torch.profiler in every case."),
    "fvcore": Counter(_fvcore, "fvcore.nn", 1),
    "ptflops (pytorch)": Counter(_ptflops("pytorch"), "ptflops", 1, is_per_example=True),
    "ptflops (aten)": Counter(_ptflops("aten"), "ptflops", 1),
    "pthflops (fx)": Counter(_pthflops, "pthflops"),
    "pthflops (jit)": Counter(
        reason="With torch 2.13.0 every case ended in an error: module 'torch.onnx' has no attribute '_optimize_trace'."
    ),
    "calflops": Counter(_calflops, "calflops", counts_backward=True),
    "torchinfo": Counter(_torchinfo, "torchinfo", 1),
    "thop": Counter(_thop, "thop", 1),
    "DeepSpeed": Counter(_deepspeed, "deepspeed.profiling.flops_profiler"),
    "dlprof": Counter(
        reason=f"`pip install dlprof`: the index has no version of it. `pip install nvidia-dlprof`: {PLACEHOLDER}."
    ),
    "pyprof": Counter(
        reason=f"`pip install nvidia-pyprof`: {PLACEHOLDER}. `pip install pyprof` gets another project of that name, a timer of Python functions."
    ),
    "TensorFlow profiler": Counter(
        reason="It counts TensorFlow graphs. The cases are torch modules; rewriting them would audit the rewriting."
    ),
}
