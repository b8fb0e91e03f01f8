"""Write numbers as text, in one form for every command, sentence and page. An unknown number is a dash, never zero."""

from collections.abc import Sequence

from schemas.units import DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS

UNKNOWN = "–"
HARDLY = 0.001  # smaller probabilities are shown only as "less than 0.1 %"
PREFIXES = ((1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "k"))
LARGE = ((1e15, ""), (1e12, " trillion"), (1e9, " billion"), (1e6, " million"))  # the smallest count for each word
MONTHS = "January February March April May June July August September October November December".split()


def number(value: float | None, digits: int = 3) -> str:
    """Return a number with `digits` significant digits; an empty string if it is unknown.

    >>> number(3.7955e25), number(0.21347), number(None)
    ('3.8e25', '0.213', '')
    """
    return "" if value is None else f"{value:.{digits}g}".replace("e+0", "e").replace("e+", "e").replace("e-0", "e-")


def flop(value: float | None) -> str:
    """Return an amount of FLOP with its unit.

    >>> flop(3.7955e25), flop(None)
    ('3.8e25 FLOP', 'unknown')
    """
    return "unknown" if value is None else f"{number(value)} FLOP"


def bound_text(words: str, *bounds: str | None) -> str:
    """Return a figure in words, preceded by "at least" or "at most" if all known bounds on it are of that kind.

    >>> bound_text("1e25", "at_least"), bound_text("1e25", None, "at_most"), bound_text("1e25", "at_least", "at_most")
    ('at least 1e25', 'at most 1e25', '1e25')
    """
    kinds = {bound for bound in bounds if bound}
    return f"{kinds.pop().replace('_', ' ')} {words}" if len(kinds) == 1 else words


def interval(low: float | None, high: float | None) -> str:
    """Return both ends of an interval.

    >>> interval(2.33e24, 2.77e24)
    '2.33e24 to 2.77e24'
    """
    return UNKNOWN if low is None or high is None else f"{number(low)} to {number(high)}"


def amount(value: float | None) -> str:
    """Return a count in words, such as 30.8 million.

    >>> amount(30.84e6), amount(6144), amount(2.5), amount(0.0012), amount(None)
    ('30.8 million', '6,144', '2.5', '0.0012', 'unknown')
    """
    if value is None:
        return "unknown"
    for limit, word in LARGE:
        if value >= limit:
            return f"{number(value / limit)}{word}" if word else number(value)
    return f"{value:,.0f}" if value >= 1000 else number(value)


def short_count(value: float | None) -> str:
    """Return a count with a suffix for its magnitude.

    >>> short_count(5.4035e11), short_count(93e6), short_count(None), short_count(3.2e13), short_count(2e15)
    ('540B', '93M', '–', '32T', '2e15')
    """
    if value is None:
        return UNKNOWN
    if abs(value) >= 1e15:
        return number(value)
    for size, letter in PREFIXES:
        if abs(value) >= size * 0.9995:
            return f"{_three_digits(value / size)}{letter}"
    return _three_digits(value)


def _three_digits(value: float) -> str:
    return f"{float(f'{value:.3g}'):g}" if abs(value) < 1000 else f"{value:,.0f}"


def full_count(value: float | None) -> str:
    """Return a count below a million in full, otherwise with a suffix for its magnitude.

    >>> full_count(6144), full_count(2.5), full_count(3e6), full_count(None)
    ('6,144', '2.5', '3M', '–')
    """
    return f"{value:,.6g}" if value is not None and abs(value) < 1e6 else short_count(value)


def percent(part: float | None, whole: float = 1) -> str:
    """Return a share, or `part` of `whole`, as a percentage: without decimals from 10 % up, otherwise with two digits.

    >>> percent(0.103), percent(0.047), percent(1.2), percent(1, 3), percent(None), percent(0, 0)
    ('10 %', '4.7 %', '120 %', '33 %', '–', '–')
    """
    if part is None or not whole:
        return UNKNOWN
    share = part / whole
    return f"{100 * share:.0f} %" if share >= 0.0995 else f"{100 * share:.2g} %"


def probability(value: float | None) -> str:
    """Return a probability as a percentage, never as 0 % or 100 %.

    >>> probability(1.0 - 1e-6), probability(0.9), probability(1e-5), probability(0.9968)
    ('more than 99.9 %', '90 %', 'less than 0.1 %', '99.7 %')
    """
    if value is None:
        return UNKNOWN
    if value > 0.999:
        return "more than 99.9 %"
    return "less than 0.1 %" if value < HARDLY else f"{100 * value:.{3 if value > 0.99 else 2}g} %"


def times(ratio: float | None) -> str:
    """Return a factor of at least one: 0.25 and 4 are both "4x".

    >>> times(0.25), times(4), times(None)
    ('4x', '4x', '–')
    """
    return UNKNOWN if ratio is None else f"{number(max(ratio, 1 / ratio))}x"


def days(seconds: float | None) -> str:
    """Return a time in seconds as text, in days, hours or minutes, depending on its length.

    >>> days(86400 * 50), days(5400), days(None)
    ('50 days', '1.5 hours', '–')
    """
    if seconds is None:
        return UNKNOWN
    units = ((DAY_SECONDS, "day", 2 * DAY_SECONDS), (HOUR_SECONDS, "hour", HOUR_SECONDS), (MINUTE_SECONDS, "minute", 0))
    size, unit, _ = next(row for row in units if seconds >= row[2])
    text = f"{seconds / size:,.3g}" if seconds / size < 1000 else f"{seconds / size:,.0f}"
    return f"{text} {unit}{'' if text == '1' else 's'}"


def energy(kwh: float | None, like: float | None = None) -> str:
    """Return an energy in kWh as text, in a unit that suits it, or the energy `like`.

    >>> energy(1.301e6), energy(8052.7), energy(123.9), energy(0.0021), energy(None), energy(905e3, like=1.3e6)
    ('1.3 GWh', '8.05 MWh', '124 kWh', '0.0021 kWh', '–', '0.905 GWh')
    """
    return _in_unit(kwh, like, ("GWh", "MWh", "kWh"))


def money(usd: float | None, like: float | None = None) -> str:
    """Return an amount of US dollars, with the suffix that suits it, or the amount `like`.

    >>> money(3.14e7), money(52_885), money(12.4), money(0.021), money(None)
    ('$31.4M', '$52.9k', '$12.4', '$0.021', '–')
    """
    return UNKNOWN if usd is None else f"${_in_unit(usd, like, ('T', 'B', 'M', 'k', '')).replace(' ', '')}"


def mass(kg: float | None, like: float | None = None) -> str:
    """Return a mass in kg as text, in a unit that suits `like` if given, otherwise the mass itself.

    >>> mass(552_000), mass(96.3), mass(0.0021), mass(None)
    ('552 t', '96.3 kg', '0.0021 kg', '–')
    """
    return _in_unit(kg, like, ("kt", "t", "kg"))


def _in_unit(value: float | None, like: float | None, units: Sequence[str]) -> str:
    """Return an amount in one of `units`, each a thousand times the next, chosen for `like` or else for the amount."""
    if value is None:
        return UNKNOWN
    sizes = [1000.0**power for power in reversed(range(len(units)))]
    chosen = value if like is None else like
    size, unit = next(pair for pair in zip(sizes, units, strict=True) if chosen >= pair[0] * 0.9995 or pair[0] == 1)
    return f"{_three_digits(value / size)} {unit}"


def written_date(text: str | None) -> str:
    """Return a date in words, as precise as the text.

    >>> written_date("2022-04-04"), written_date("2022-04"), written_date("1989")
    ('4 April 2022', 'April 2022', '1989')
    """
    year, *rest = (text or UNKNOWN).split("-")
    month = f"{MONTHS[int(rest[0]) - 1]} " if rest else ""
    return f"{f'{int(rest[1])} ' if len(rest) > 1 else ''}{month}{year}"


def units(unit: str | None) -> str:
    """Return the plural of an example unit in words.

    >>> units("second_of_audio"), units("game_position"), units(None)
    ('seconds of audio', 'game positions', 'examples')
    """
    first, *rest = (unit or "example").replace("_", " ").split(" of ")
    return " of ".join([f"{first}s", *rest])


def join_words(words: list[str]) -> str:
    """Join words with commas and "and".

    >>> join_words(["a", "b", "c"]), join_words(["a", "b"]), join_words(["a"])
    ('a, b and c', 'a and b', 'a')
    """
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def within_factors(estimate: float, low: float, high: float) -> str:
    """Return the factors from an estimate to the ends of its interval.

    >>> within_factors(1.0, 0.65, 1.64), within_factors(1.0, 0.02, 50.0)
    ('÷1.5 to ×1.6', '÷50 to ×50')
    """
    return f"÷{number(estimate / low, 2)} to ×{number(high / estimate, 2)}"


def comparison(figure: float, reference: float) -> str:
    """Return in words how a figure compares with a reference: in percent within a factor of two, otherwise as a factor.

    >>> comparison(3.0, 3.0), comparison(2.9, 3.0), comparison(1.2, 1.0), comparison(7.0, 2.0), comparison(1.0, 461.0)
    ('the same', '3.3 % less', '20 % more', '3.5 times as much', '1/461 as much')
    """
    ratio = figure / reference
    if abs(ratio - 1) < 0.005:
        return "the same"
    if 0.5 < ratio < 2:
        return f"{percent(abs(ratio - 1))} {'more' if ratio > 1 else 'less'}"
    return f"{number(ratio)} times as much" if ratio > 1 else f"1/{number(1 / ratio)} as much"
