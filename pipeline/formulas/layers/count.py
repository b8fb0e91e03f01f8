"""The count for one layer and one example, and the registry of layer kinds."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

MULTIPLY_ADD_FLOP = 2
Shape = tuple[float, ...]
Size = int | Sequence[int]  # one number for all axes, or one per axis


class LayerError(ValueError):
    """Raised for a layer with impossible sizes; the message names the size and what it must be."""


class UnknownWordError(LayerError):
    """Raised for a word that a layer does not accept; `known` lists the words that it accepts."""

    def __init__(self, word: str, what: str, known: Sequence[str]) -> None:
        super().__init__(f"{word!r} is not {what}")
        self.word, self.known = word, known


class LayerCount(NamedTuple):
    """Output shape, parameters and FLOP of one layer for one example.

    `idle_parameters` is the number of parameters that an example does not use, such as those of other experts.
    `matrix_flop` counts products of weights and activations; `input_flop` counts only such products with the layer's
    own input. `score_flop` counts products of two activations as the layer defines them; `unmasked_score_flop` counts
    them without a mask, if the layer has one. `unlearned_flop` counts score products that only select keys, and so
    have no backward pass. `constant_flop` counts products with a second input that needs no gradient. No total includes
    `elementwise_flop`.
    """

    shape: Shape
    parameters: int = 0
    idle_parameters: int = 0
    matrix_flop: float = 0
    input_flop: float = 0
    score_flop: float = 0
    unmasked_score_flop: float | None = None
    elementwise_flop: float = 0
    has_shared_weights: bool = False
    unlearned_flop: float = 0
    constant_flop: float = 0

    @property
    def is_trainable(self) -> bool:
        """Return whether the layer has weights of its own or shares another layer's."""
        return self.parameters > 0 or self.has_shared_weights

    @property
    def active_parameters(self) -> int:
        """Return the number of parameters that one example uses."""
        return self.parameters - self.idle_parameters

    @property
    def full_score_flop(self) -> float:
        """Return the FLOP of products of two activations without a mask."""
        return self.score_flop if self.unmasked_score_flop is None else self.unmasked_score_flop

    @property
    def forward_flop(self) -> float:
        """Return the FLOP of the forward pass as the layer defines it."""
        return self.matrix_flop + self.score_flop

    def backward_flop(self, has_trainable_below: bool, is_frozen: bool = False) -> float:
        """Return the FLOP of the backward pass: gradients of weights and, if a layer below is trainable, of the input.

        Products of two activations need the gradients of both factors. Frozen weights need no gradient, and a frozen
        layer with nothing trainable below it has no backward pass. Source: the ratio post.
        """
        scores = 2 * (self.score_flop - self.unlearned_flop)
        if is_frozen:
            return self.matrix_flop - self.constant_flop + scores if has_trainable_below else 0
        # If nothing below is trainable, only products inside the layer need an input gradient.
        without_gradient = self.constant_flop if has_trainable_below else self.input_flop
        input_gradient = self.matrix_flop - without_gradient
        return self.matrix_flop + input_gradient + scores


KINDS: dict[str, Callable[..., LayerCount]] = {}


Kind = TypeVar("Kind", bound=Callable[..., LayerCount])


def kind(function: Kind) -> Kind:
    """Register a function as a layer kind that records may name. Raise TypeError if the name is taken."""
    if function.__name__ in KINDS:
        raise TypeError(f"two layer kinds are called {function.__name__}")
    KINDS[function.__name__] = function
    return function
