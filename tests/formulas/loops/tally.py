"""The numbers with which a slow loop computes, and the counts that it makes."""

from itertools import product

# On which trainable weights a number depends: none, only some below the counted layers, or some in them.
FIXED, INPUT, LEARNED = 0, 1, 3
MULTIPLY_ADD_FLOP = 2  # repeated on purpose, because the loops import nothing of the formulas

Vector = list[int]
Image = dict[tuple[int, ...], int]


class Tally:
    """Multiply-adds forward, and backward with and without trainable weights below the counted layers.

    `elementwise` counts the operations of layers without products; no total includes it. Additions of biases, of two
    paths and of two gradients of one weight are not counted.
    """

    def __init__(self):
        self.multiply_adds = self.gradients = self.first_gradients = self.elementwise = 0

    def dot(self, left, right):
        """Return the sum of products of two rows of numbers."""
        made = FIXED
        for a, b in zip(left, right, strict=True):
            self.multiply_adds += 1
            self.gradients += (a & 1) + (b & 1)
            self.first_gradients += (a >> 1) + (b >> 1)
            made |= a | b
        return made

    def dense(self, inputs, outputs, weight=LEARNED):
        """Return outputs that are each a product of all inputs with the output's own weights."""
        return [self.dot([weight] * len(inputs), inputs) for _ in range(outputs)]

    @property
    def forward_flop(self):
        """Return the FLOP of the forward pass."""
        return MULTIPLY_ADD_FLOP * self.multiply_adds

    @property
    def backward_flop(self):
        """Return the FLOP of the backward pass with trainable weights below."""
        return MULTIPLY_ADD_FLOP * self.gradients

    @property
    def first_backward_flop(self):
        """Return the FLOP of the backward pass on raw input."""
        return MULTIPLY_ADD_FLOP * self.first_gradients


LOOPS = {}


def loop(function):
    """Register a function as the slow loop of the layer kind with its name, with the kind's own arguments."""
    LOOPS[function.__name__] = function
    return function


def grid(shape, number=INPUT):
    """Return an image of this shape."""
    return dict.fromkeys(product(*map(range, shape)), number)


def sequence(shape):
    """Return a sequence of vectors."""
    length, width = shape
    return [[INPUT] * width for _ in range(length)]


def mixed(numbers):
    """Return a number that depends on all of these."""
    made = FIXED
    for number in numbers:
        made |= number
    return made
