"""Rows of `layers`, and a network's family, named after the kind of layer that does most of its operations."""

import json
from collections.abc import Iterator
from typing import Any

from pipeline.architectures import placed_layers
from pipeline.architectures.configs import networks_left_out, parts_left_out
from pipeline.architectures.configs.outer_parts import Part
from pipeline.architectures.network import Lengths
from pipeline.models.sql import Row
from schemas import vocabulary
from schemas.records import Architecture, MeasurementRow, Model, Phase, Records

_as_json = json.JSONEncoder(sort_keys=True).encode
RECURRENT_KINDS = ("rnn", "gru", "lstm")


def layers(records: Records) -> list[Row]:
    """Return one row per layer of each architecture in a phase, measurement or gold run, at the lengths used there."""
    return [
        {
            "architecture_id": architecture_id,
            "layer_index": index,
            "layer_name": placed.name,
            "layer_kind": placed.kind,
            "input_shape": _as_json(placed.input_shape),
            "arguments": _as_json(placed.arguments),
            "has_trainable_below": placed.has_trainable_below,
            "is_frozen": placed.is_frozen or is_frozen,
            "times": placed.times,
        }
        for architecture_id, architecture, lengths, is_frozen in _architectures(records)
        for index, placed in enumerate(placed_layers(architecture.settings, lengths))
    ]


def measured_architecture_id(measurement_id: str, row: MeasurementRow) -> str:
    """Return the id of the network whose throughput was measured, at its sequence lengths."""
    lengths = [str(length) for length in (row.sequence_length, row.target_length) if length]
    return "/".join([measurement_id, row.architecture, *lengths])


def task_architecture_id(measurement_id: str, task: str) -> str:
    """Return the id of the network that the runs of a measurement's task trained."""
    return f"{measurement_id}/{task}"


def network_of(model: Model, phase: Phase) -> vocabulary.Network | None:
    """Return the family of a phase's network, on which its utilization depends, or None if it is unknown."""
    architecture = model.architecture_of(phase)
    if architecture is not None:
        return network_of_architecture(architecture, phase)
    is_recurrent = model.network == vocabulary.ParameterNetwork.RECURRENT
    return None if model.network is None else vocabulary.Network.RECURRENT if is_recurrent else _transformer(phase)


def network_of_architecture(architecture: Architecture, phase: Phase) -> vocabulary.Network | None:
    """Return an architecture's family, from the kind of layer with most operations in the phase; None if unknown."""
    network = vocabulary.Network
    placed = placed_layers(architecture.settings, Lengths(*phase.sequence_lengths))
    whole = sum(layer.times * layer.count.forward_flop for layer in placed)
    # Compare operations, because a few convolutions at the start do not make a network convolutional.
    if 2 * sum(layer.times * layer.count.forward_flop for layer in placed if "conv" in layer.kind) > whole:
        is_depthwise = any(_is_depthwise(layer.kind, layer.arguments, layer.input_shape) for layer in placed)
        return network.DEPTHWISE_CONVOLUTION if is_depthwise else network.DENSE_CONVOLUTION
    if any(layer.kind in RECURRENT_KINDS for layer in placed):
        return network.RECURRENT
    return _transformer(phase) if any(layer.count.score_flop for layer in placed) else None


def left_out(architecture: Architecture | None) -> list[Part]:
    """Return the parts of an architecture's network that are not counted: those around the text model of a config."""
    settings = architecture.settings if architecture is not None else {"family": ""}
    return parts_left_out(settings["config"]) if settings["family"] == "hugging_face" else []


def not_counted(architecture: Architecture | None) -> list[str]:
    """Return in words what `left_out` returns, and the further networks of a diffusion model."""
    config = architecture.settings.get("config", {}) if architecture is not None else {}
    return [*(part.words for part in left_out(architecture)), *networks_left_out(config)]


def _transformer(phase: Phase) -> vocabulary.Network:
    is_text = phase.example_unit in vocabulary.TEXT_UNITS
    return vocabulary.Network.LANGUAGE_TRANSFORMER if is_text else vocabulary.Network.OTHER_TRANSFORMER


def _is_depthwise(kind: str, arguments: dict[str, Any], shape: tuple[float, ...]) -> bool:
    is_stated = kind.startswith("depthwise") or arguments.get("is_depthwise", False)
    return is_stated or (kind.startswith("conv") and 1 < arguments.get("groups", 1) == shape[0])


def _architectures(records: Records) -> Iterator[tuple[str, Architecture, Lengths, bool]]:
    """Yield the id, architecture, lengths and `has_frozen_weights` of each network whose operations the rules need.

    These are the networks of models' phases, measurements and gold runs. Rows of a measurement may share a network.
    """
    for identifier, model in records.models.items():
        for phase in model.training:
            architecture = model.architecture_of(phase)
            if architecture:
                lengths = Lengths(*phase.sequence_lengths)
                yield f"{identifier}/{phase.phase}", architecture, lengths, phase.has_frozen_weights
    yielded_ids = set()
    for identifier, measurement in records.measurements.items():
        for row in measurement.rows:
            architecture_id = measured_architecture_id(identifier, row)
            architecture = records.measured_architecture(measurement, row.architecture)
            if architecture_id not in yielded_ids and architecture:
                yielded_ids.add(architecture_id)
                yield architecture_id, architecture, Lengths(*row.sequence_lengths), False
        for name, task in measurement.tasks.items():
            architecture = task.architecture and records.measured_architecture(measurement, task.architecture)
            if architecture:
                lengths = Lengths(*task.sequence_lengths)
                yield task_architecture_id(identifier, name), architecture, lengths, task.has_frozen_weights
    for identifier, group in records.gold_runs.items():
        for run in group.runs:
            architecture = records.measured_architecture(group, run.architecture) if run.architecture else None
            if run.training and architecture:
                yield f"{identifier}/{run.run}", architecture, Lengths(*run.training.sequence_lengths), False
