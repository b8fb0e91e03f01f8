"""Compare types of language models with transformers' classes, built without weights and counted by torch.

This runs only if torch and the newest transformers are installed, on every tenth type; ALL_TYPES=1 takes all of them.
"""

import json
import os

import pytest
import torch
import transformers
from torch.utils.flop_counter import FlopCounterMode

from pipeline.architectures.configs import KNOWN_TYPES, read
from pipeline.architectures.network import ArchitectureError, Lengths
from tests.architectures.in_torch.type_networks import (
    CANNOT_RUN,
    CHOSEN,
    LENGTH,
    MODELS,
    OF_OTHER_PROGRAMS,
    OF_TOWERS,
    READ_INSIDE,
    SEQ2SEQ,
    TASKS,
    UNREAD,
    built,
    counted,
    device_of,
    parameters_or_complaint,
)


@pytest.mark.parametrize("name", CHOSEN)
def test_a_type_counts_as_torch_does(name):
    model, written = built(name)
    ours = counted(written)
    assert ours.parameters == sum(parameter.numel() for parameter in model.parameters())
    if name in CANNOT_RUN:
        return
    with FlopCounterMode(display=False) as counter:
        logits = model(
            input_ids=torch.zeros(1, LENGTH, dtype=torch.long, device=device_of(name)), use_cache=False
        ).logits
    forward = counter.get_total_flops()
    with FlopCounterMode(display=False) as counter:
        logits.sum().backward()
    masked = ours.forward_flop_full_attention - ours.forward_flop
    # A product of two activations has two gradients; torch also counts those of pairs hidden by a mask.
    ratios = (ours.forward_flop_full_attention / forward, (ours.backward_flop + 2 * masked) / counter.get_total_flops())
    print(f"{name:<24}{ours.parameters:>12,}  forward {ratios[0]:.5f}  backward {ratios[1]:.5f}")
    if name not in OF_OTHER_PROGRAMS:
        assert ratios[0] == 1
        # An indexer selects: it has no gradient, masked or not.
        assert ratios[1] == 1 or "index_topk" in written


@pytest.mark.parametrize("name", CHOSEN)
@pytest.mark.parametrize("task", sorted(TASKS))
def test_every_head_of_a_type_has_torch_s_parameters_or_is_refused(name, task):
    names, auto_class = TASKS[task]
    if name not in names:
        return
    model, written = built(name, auto_class=auto_class)
    ours = parameters_or_complaint(written)
    assert ours == sum(parameter.numel() for parameter in model.parameters()) or "whose head cannot be counted" in str(
        ours
    )


@pytest.mark.parametrize("name", CHOSEN)
def test_a_config_without_its_class_s_defaults_counts_the_same_or_is_refused(name):
    model, written = built(name)
    short = json.loads(json.dumps(model.config.to_diff_dict(), default=str))
    ours = parameters_or_complaint({**short, "model_type": name, "architectures": written["architectures"]})
    assert ours == sum(parameter.numel() for parameter in model.parameters()) or "needs" in str(ours)


@pytest.mark.parametrize("name", READ_INSIDE if os.environ.get("ALL_TYPES") else READ_INSIDE[::10])
def test_a_text_model_inside_has_torch_s_parameters(name):
    config = transformers.CONFIG_MAPPING[name]()
    with torch.device("meta"):
        model = {**SEQ2SEQ, **MODELS}[name].from_config(config)
    parameters = sum(parameter.numel() for key, parameter in model.named_parameters() if not OF_TOWERS.search(key))
    written = {**json.loads(config.to_json_string(use_diff=False)), "architectures": [type(model).__name__]}
    assert parameters_or_complaint(written) == parameters


def test_every_type_is_read_or_refused_for_a_reason():
    unread = {name for names in UNREAD.values() for name in names.split()}
    # Gemma 3n's text model is read; its tower needs another package to be built.
    assert {*MODELS, *SEQ2SEQ} - {*KNOWN_TYPES} - {*READ_INSIDE, "gemma3n"} == unread
    for name in unread:
        written = {"model_type": name}
        if name not in ("encoder-decoder", "gemma4_assistant", "zamba2"):  # which have no default config
            written |= json.loads(transformers.CONFIG_MAPPING[name]().to_json_string())
        with pytest.raises(ArchitectureError):
            read(written, Lengths(LENGTH))
