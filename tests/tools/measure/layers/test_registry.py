"""A torch module has the arguments of its formula, and each kind has one. Nothing here needs torch."""

from inspect import Parameter, signature

import pytest

from pipeline.formulas.layers import KINDS
from pipeline.tools.measure.layers import MODULES, OF_THE_NETWORK, UnbuildableError, torch_module

# Settings that only configs have.
UNBUILT_SETTINGS = {"self_attention": {"chunk", "has_values", "reach", "relative_rows"}}


@pytest.mark.parametrize("kind", sorted(MODULES))
def test_a_module_takes_the_arguments_of_its_formula(kind):
    formula = set(signature(KINDS[kind]).parameters) - set(OF_THE_NETWORK) - UNBUILT_SETTINGS.get(kind, set())
    module = signature(MODULES[kind]).parameters.values()
    required = {
        entry.name for entry in module if entry.default is entry.empty and entry.kind is not Parameter.VAR_KEYWORD
    }
    assert required <= formula
    takes_others = any(entry.kind is Parameter.VAR_KEYWORD for entry in module)
    assert takes_others or formula <= {entry.name for entry in module}


def test_what_cannot_be_built_is_named():
    with pytest.raises(UnbuildableError, match="layer kind nothing has no torch module"):
        torch_module("nothing", (3,), {})
    with pytest.raises(UnbuildableError, match=r"layer_norm: a mean length \(3.5\)"):
        torch_module("layer_norm", (3.5, 4), {})
    with pytest.raises(UnbuildableError, match="self_attention: its torch module has no chunk"):
        torch_module("self_attention", (3, 4), {"heads": 1, "head_width": 4, "chunk": 2})
