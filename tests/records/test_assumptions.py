"""Assumptions of a record, named in the arithmetic of its facts, turn these into ranges; each mistake is one line."""

import pytest

from tests.records.conftest import IMAGES, World

FILE = "models/images.yaml"
FACT = "training[0].examples"
STATED = "    examples: {value: 1.2e6, source: paper}\n"
QUOTED = "    examples: {low: 6e9, high: 12e9, quote: size, derived: %s}\n"
MOVES = "assumptions:\n  moves: {low: 100, high: 200, reason: Games of the same kind have so many.}\n"
POINT = "assumptions:\n  moves: {value: 150, log_sd: 0.3, reason: The mean of another game.}\n"


def assuming(world: World, assumptions: str, fact: str) -> list[tuple[int, str, str]]:
    """Return line, field and message of the mistakes of a record with assumptions (line 6) and a fact (line 23)."""
    assert IMAGES.count(STATED) == 1
    world.write(
        FILE, IMAGES.replace("scope: single\n", f"{assumptions}scope: single\n").replace(STATED, f"    {fact}\n")
    )
    return [mistake[1:] for mistake in world.mistakes()]


SOUND = {
    "a range that a quote and an assumption give": (MOVES, "examples: {low: 6e9, high: 12e9, quote: size, derived: 60e6 * moves}"),
    "within 1 %": (MOVES, "examples: {low: 6.05e9, high: 11.9e9, quote: size, derived: 60e6 * moves}"),
    "without any source": (MOVES, "examples: {low: 100, high: 200, derived: moves}"),
    "a range that falls where the assumption rises": (MOVES, "examples: {low: 3e5, high: 6e5, quote: size, derived: 60e6 / moves}"),
    "a value": (POINT, "examples: {value: 9e9, quote: size, derived: 60e6 * moves}"),
    "at least the low end": (MOVES, "examples: {at_least: 6e9, quote: size, derived: 60e6 * moves}"),
    "at most the high end": (MOVES, "examples: {at_most: 12e9, quote: size, derived: 60e6 * moves}"),
}  # fmt: skip


@pytest.mark.parametrize(("assumptions", "fact"), SOUND.values(), ids=SOUND)
def test_sound(world: World, assumptions: str, fact: str) -> None:
    assert assuming(world, assumptions, fact) == []


RANGE = "examples: {low: 6e9, high: 12e9, quote: size, derived: 60e6 * moves}"
WIDTH = "an assumption has low and high, with or without a value, or value and log_sd"
BROKEN = {
    "unknown name": (MOVES, RANGE.replace("moves", "movs"), [
        (7, "assumptions.moves", "is not used in any derived; name it there, or delete it"),
        (23, FACT, "'movs' of derived is not one of this record's assumptions; did you mean 'moves'?"),
    ]),
    "no assumptions": ("# none\n# at all\n", RANGE, [(23, FACT, "'moves' of derived is not one of this record's assumptions")]),
    "another range": (MOVES, RANGE.replace("12e9", "13e9"), [(23, FACT, "derived gives 6e+09 to 1.2e+10, but low and high are 6e+09 and 1.3e+10")]),
    "a value where the assumption is a range": (MOVES, "examples: {value: 9e9, quote: size, derived: 60e6 * moves}", [
        (23, FACT, "derived gives 6e+09 to 1.2e+10; write low and high in place of value"),
    ]),
    "another value": (POINT, "examples: {value: 8e9, quote: size, derived: 60e6 * moves}", [(23, FACT, "derived gives 9e+09, but the value is 8e+09")]),
    "another bound": (MOVES, "examples: {at_least: 12e9, quote: size, derived: 60e6 * moves}", [
        (23, FACT, "derived gives 6e+09 to 1.2e+10, but the value is 1.2e+10"),
    ]),
    "unused": (MOVES, "examples: {value: 60e6, source: paper}", [(7, "assumptions.moves", "is not used in any derived; name it there, or delete it")]),
    "no reason": (MOVES.replace(", reason: Games of the same kind have so many.", ""), RANGE, [(7, "assumptions.moves.reason", "is missing")]),
    "one end": (MOVES.replace("high: 200, ", ""), RANGE, [(7, "assumptions.moves", WIDTH)]),
    "value without width": (POINT.replace("log_sd: 0.3, ", ""), RANGE, [(7, "assumptions.moves", WIDTH)]),
    "ends exchanged": (MOVES.replace("low: 100, high: 200", "low: 200, high: 100"), RANGE, [
        (7, "assumptions.moves", "low (200) is not below high (100); swap them, or write value and log_sd"),
    ]),
    "name with a hyphen": (MOVES.replace("moves:", "Moves-a-game:"), "examples: {value: 60e6, source: paper}", [
        (7, "assumptions.Moves-a-game", "'Moves-a-game' is not a name; did you mean 'moves_a_game'?"),
    ]),
    "number word": (MOVES.replace("moves:", "dozen:"), "examples: {value: 60e6, source: paper}", [
        (7, "assumptions.dozen", "'dozen' is a number word; name it after what is assumed, such as moves_a_game"),
    ]),
}  # fmt: skip


@pytest.mark.parametrize(("assumptions", "fact", "mistakes"), BROKEN.values(), ids=BROKEN)
def test_broken(world: World, assumptions: str, fact: str, mistakes: list[tuple[int, str, str]]) -> None:
    assert assuming(world, assumptions, fact) == mistakes


@pytest.mark.parametrize(("share", "is_right"), [(0.99, True), (1.01, False)])
def test_arithmetic_with_an_assumption_gives_its_range_within_a_percent(
    world: World, share: float, is_right: bool
) -> None:
    low = 6e9 / (1 - share * 1e-2)
    fact = f"examples: {{low: {low:.9g}, high: 12e9, quote: size, derived: 60e6 * moves}}"
    assert (assuming(world, MOVES, fact) == []) == is_right
