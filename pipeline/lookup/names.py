"""Find the model that a name refers to: by its spelling, by its key in another database, or by the words in it."""

import csv
import re
from calendar import month_abbr
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from datetime import date, timedelta
from functools import cache, cached_property
from os.path import commonprefix
from pathlib import Path
from typing import Any, NamedTuple

import duckdb

from pipeline.base.text.numerals import LETTERS
from pipeline.publishing.rows import rows
from schemas import spelling
from schemas.plain_text import cut
from schemas.spelling import plain, words
from schemas.vocabulary import Domain, KeyRelation, Tier

Row = Mapping[str, Any]
ENTRIES = Path(__file__).with_suffix(".sql")
with Path(__file__).with_name("hosts.csv").open(encoding="utf-8", newline="") as file:
    HOSTS = {"", *(row["host"] for row in csv.DictReader(file))}  # parts of paths to models that others made
ADDRESS = re.compile(r"(?<![^/])(?:\d[^/]*|[^/]*-\d|\W*)/")  # parts of paths without an owner: images' sizes, regions
# Prefixes and suffixes that hubs and APIs add to a model's name.
AROUND = re.compile(
    r"^(?:[^/(]*/)+|^(?:[a-z]+\d*\.)+(?:ai-)?(?=[a-z])"
    r"|(?:[-:]v1[:.]0|(?<=\d{8})-v\d(?::0)?|@[a-z]+|:free|:\d+k|-001"
    r"|-(?:maas|novita|vllm|openrouter|fireworks|together|bedrock|highspeed|basic))$",
    re.IGNORECASE,
)
DAYS = [  # 2025-03-13, 20250313 and 2025_03_13; 03-2025; (Mar 2025); 2503 and 25-03; 03-13, 0313 and (03/13)
    re.compile(r"[-_ @(]+(?P<year>20\d\d)-?(?P<month>[01]\d)-?(?P<day>[0-3]\d)\)?$"),
    re.compile(r"[-_ (]+(?P<month>(?:0[1-9]|1[0-2])(?=-)|[A-Za-z]{3,9})[- ](?P<year>20\d\d)\)?$"),
    re.compile(r"[-_ (]+(?P<year>2[2-9])-?(?P<month>0[1-9]|1[0-2])\)?$"),
    re.compile(r"[-_ (]+(?P<month>0[1-9]|1[0-2])[-/]?(?P<day>[0-3]\d)\)?$"),
]
MIDDLE = 15  # the day assumed for a name that has only a month
NO_YEAR = 4  # a leap year, in the day of a name without one
EARLY = re.compile(r"[-_ ](?:preview|beta|exp(?:erimental)?)(?=$|[-_ ]\d\d-?\d\d$)", re.IGNORECASE)
LATEST = re.compile(r"[-_ ](?:chat-)?\(?latest\)?$|(?<=^deepseek)-(?:chat|reasoner)$", re.IGNORECASE)
ACTIVE = re.compile(r"\(([\d.]+B)/([\d.]+B)\)$", re.IGNORECASE)  # active and all parameters
FIRST = re.compile(r"[-_ ]v0\.1$", re.IGNORECASE)  # the first version of a model is often named without it
BRACKETS = re.compile(r'^(.*\w) \("?([^()"]*\w)"?\)$')
OWNER_LETTERS = 5  # of a maker's name, with which an owner begins: deepseek-ai
EDITION_DAYS = 31  # a later edition may come from another training run
WEIGHTS = r"gguf|awq|gptq|mlx|bnb|(?:(?:nv|mx)?fp|bf|int)(?:4|8|16)|[48]bit|q\d(?:_\w+)?"  # names of quantized weights
ROUNDED = re.compile(rf"[-_ :](?:{WEIGHTS})(?![a-z0-9])|(?<=instruct)-turbo$", re.IGNORECASE)
# How a model is asked rather than trained: a budget after "Thinking", an effort, thinking on or off, function calling.
# A bare "Thinking" or "Reasoning" is not here, because it may be the name of another model, such as Kimi K2 Thinking.
EFFORT = r"(?:x?high|low|medium|minimal|min|max|none|no)"
THINKING = r"(?:think(?:ing)?|reason(?:ing|er))"
MODES = [
    re.compile(mode, re.IGNORECASE)
    for mode in (
        rf"(?<=think|oning|nking)[ -](?:\d+k|{EFFORT})$|_\d+k$",
        rf"\s*\((?:{EFFORT}(?:[ -](?:{THINKING}|effort))?|(?:no |non-|prompt \+ |w/ )?{THINKING}|u?diff|whole|architect"
        rf"|fc|best-of-\d+|(?:[\w-]+ )?(?:agent|prompt)|\w+=[\w.]+(?:, \w+=[\w.]+)*"
        rf"|\d+k(?: tokens)?(?: {THINKING})?(?: tokens)?)\)$",
        rf"--{EFFORT}$|-{EFFORT}(?=-20\d\d-?\d\d-?\d\d$)",
        rf"[-_ ](?:{EFFORT}[-_ ]?(?:effort|{THINKING})|x?high|low|minimal|none|fc|(?:or-)?responses|default)$",
        r"(?:(?<=-\d\d)|(?<=mini|nano)|(?<=gpt-\d\.\d))-medium$|(?<=-sol|luna|erra)-max$",
        rf"[ -]thinking[ -](?:\d+k|auto|{EFFORT}(?:[ -]effort)?)$|-rerun$|-greedy$|(?<=\)) agent$",
        rf"[ -]non-?{THINKING}$|(?<=-\d{{4}})-reasoning$",
    )
]
# Words in the names of weights that were tuned for conversation or converted to another format.
TUNED = {"instruct", "chat", "base", "hf", "uncased"}
SIZE = re.compile(r"(a?)(?:\d+x)?(\d+(?:\.\d+)?)([mbt])")
NOT_A_NAME = re.compile(rf".*\b(?:19|20)\d\d|{SIZE.pattern}", re.IGNORECASE)  # a year, which is an edition, or a size
VERSION = re.compile(rf"(?!{SIZE.pattern}$)\d")
SAME_SIZE = 1.06  # a factor that allows for rounded sizes in names
LONGEST_SHOWN = 100  # characters of a name in a message
WAY_ON = (
    "; `flopledger list --tier all --search WORD` looks for a word in all names, and "
    "`flopledger estimate --parameters N --tokens N` estimates a model that it lacks"
)
REMARKS = {  # sentences for names that are not the model's own, by relation
    KeyRelation.SAME: "{asked!r} is taken as {name} ({id})",
    KeyRelation.VARIANT: "{asked!r} is a variant of {name} ({id}): the number is for {name}, and includes later"
    " training only if its record does",
    KeyRelation.QUANTIZATION: "{asked!r} is {name} ({id}) with rounded weights: the training is the same",
    KeyRelation.MODE: "{asked!r} is a mode of {name} ({id}): the training is the same",
}


class Match(NamedTuple):
    """The entry that a name refers to, how the name relates to it, and a remark if the name is not the entry's own."""

    entry: Row
    relation: KeyRelation
    remark: str | None


class SeveralModelsError(LookupError):
    """Raised for a name that fits several models; `models` lists their entries, likeliest first."""

    def __init__(self, name: str, models: Sequence[Row]) -> None:
        self.models = models
        fits = f"fits {len(models)} models; choose one" if len(models) > 1 else "is a family; the ledger has only"
        super().__init__(f"{name!r} {fits}: {_id_list(models, spelling.LONGEST_LIST)}")


def entries(connection: duckdb.DuckDBPyConnection) -> list[dict[str, Any]]:
    """Return the rows of names.sql: models in the ledger, then other names in Epoch's table, which are their `id`."""
    return rows(connection, ENTRIES.read_text(encoding="utf-8"))


def match_rows(asked: Iterable[Any], connection: duckdb.DuckDBPyConnection) -> list[Row]:
    """Return one row per name, in order: its model, or only a `remark` on the nearest unless exactly one fits."""
    known, matches = Names(entries(connection)), list[Row]()
    for name in asked:
        try:
            if not isinstance(name, str):  # an empty cell of a table
                raise LookupError(f"{name!r} is not a name")
            entry, _, remark = known.find(name)
        except LookupError as problem:
            entry, remark = {}, str(problem)
        stated = {column: entry.get(column) for column in ("tier", "training_flop", "training_flop_at_least")}
        matches.append({"name": name, "model_id": entry.get("id"), **stated, "remark": remark})
    return matches


class Names:
    """An index of models by name, for repeated look-ups. Models are rows as returned by `entries`."""

    def __init__(self, models: Sequence[Row]) -> None:
        self.models = models
        self._by_id = {model["id"]: model for model in reversed(models)}
        self._spellings = spelling.spellings(models)
        keys = {
            (written, f"{relation} {model['id']}")
            for model in models
            for key, relation in (model["keys"] or {}).items()
            for written in (key, _bare_name(key))
        }
        self._bracketed = dict(_in_brackets(models))
        self._owners: dict[str, set[str]] = {}  # organizations by the owners in names of their models
        for model in models:
            for key in (*(model["keys"] or ()), *(model["aliases"] or "").split(" | ")):
                self._owners.setdefault(plain(key.rpartition("/")[0]), set()).update(_organizations(model))
        # A key that several models or relations share identifies none of them.
        models_with = Counter(written for written, _ in keys)
        self._keys = spelling.Spellings(key for key in keys if models_with[key[0]] == 1)

    def find(self, name: str) -> Match:
        """Return the one model that a name refers to.

        Raise SeveralModelsError for the name of a family, or UnknownNameError naming the nearest models if none fits.
        """
        for written in (name, *_without_modes(_bare_name(name))):
            fits = self.fits(written) or self._released(written)
            several = [match.entry for match in fits] or self._family(_bare_name(written))
            if len(several) > 1:
                raise SeveralModelsError(name, several)
            fits = fits or self._of_brackets(written)
            if fits:
                self._refuse_other_owner(name, fits[0])
                relation = KeyRelation.MODE if fits[0].relation == KeyRelation.SAME else fits[0].relation
                return fits[0] if written == name else _match(fits[0].entry, relation, name)
        # A family with only one size in the ledger, or a name whose meaning moves with every release.
        bare = _bare_name(name)
        family = self._family(LATEST.sub("", bare), of_sizes=not LATEST.search(bare), least=1)
        if family and words(family[0]["name"]) != words(bare):
            raise SeveralModelsError(name, family)
        shown = repr(cut(name, LONGEST_SHOWN))
        raise spelling.UnknownNameError(f"{shown} is not a model of the ledger{self._nearest_names(_bare_name(name))}")

    def _refuse_other_owner(self, name: str, match: Match) -> None:
        """Raise UnknownNameError if the owner in a name is neither a maker of the model nor a host of others' models.

        Its training would be left out, unless it only rounded the weights.
        """
        owner = next(iter(ADDRESS.sub("", name.partition("(")[0].lower()).split("/")[-2:-1]), "")
        if owner in HOSTS or ROUNDED.search(name) or self._spelling_match(name, name):
            return
        owner, makers = plain(owner), _organizations(match.entry)
        is_maker = any(owner.startswith(maker[:OWNER_LETTERS]) or maker.startswith(owner) for maker in makers)
        if not is_maker and not makers & self._owners.get(owner, set()):
            raise spelling.UnknownNameError(
                f"{name!r} is not a model of the ledger: {owner!r} is no maker of {match.entry['id']!r}, and may have"
                f" trained it further; for the makers' model ask for {match.entry['id']!r}"
            )

    def fits(self, name: str) -> list[Match]:
        """Return every model with this name, key or words; for the name of a family, return all of its sizes.

        A record answers before a row of Epoch's table with the same words.
        """
        bare = _bare_name(name)
        for written in (name, bare):
            if spelled := self._spelling_match(written, name):
                # Unless it is a model's own name, it may be the name of a family of several sizes, such as "llama-2".
                is_own = plain(written) in (plain(spelled.entry["id"]), plain(spelled.entry["name"]))
                sizes = [] if is_own else self._family(bare, of_sizes=True)
                return [_match(model, spelled.relation, name) for model in sizes] or [spelled]
        # Otherwise leave out a day and words for quantized weights, and then words such as "instruct".
        undated, day = _split_day(FIRST.sub("", bare))
        short = ROUNDED.sub("", undated)
        relation = KeyRelation.SAME if short == undated else KeyRelation.QUANTIZATION
        if spelled := self._spelling_match(short, name):
            fits = [spelled.entry]
            relation = relation if spelled.relation == KeyRelation.SAME else spelled.relation
        elif not (fits := self._with_words(short)) and (tuned := TUNED & {*words(short)}):
            fits, relation = self._with_words(short, tuned), KeyRelation.VARIANT
        fits = [*filter(_is_record, fits)] or fits
        if day:  # "GPT-4o (Nov 2024)" is another edition of GPT-4o
            years = [(entry, _in_year(day, entry)) for entry in fits]
            names = {f"{entry['name']} ({in_year:{month} %Y})" for entry, in_year in years for month in ("%b", "%B")}
            editions = [edition.entry for written in names if (edition := self._spelling_match(written, name))]
            fits = [entry for entry in fits if _is_of_day(entry, day)] or editions
        return [_match(entry, relation, name) for entry in fits]

    def _released(self, name: str) -> list[Match]:
        """Return the closed model of which this is a preview."""
        later = EARLY.sub("", _bare_name(name))
        is_version = later != _bare_name(name) and re.search(r"\d", later)
        fits = (self.fits(later) or self._of_brackets(later)) if is_version else []
        closed = [match.entry for match in fits if match.entry["weights_access"] not in ("open", "restricted")]
        return [_match(entry, KeyRelation.VARIANT, name) for entry in closed]

    def _of_brackets(self, name: str) -> list[Match]:
        """Return the only model with this name in or before parentheses: "GShard (dense)" for "GShard"."""
        identifier = self._bracketed.get(words(_bare_name(name)))
        return [_match(self._by_id[identifier], KeyRelation.SAME, name)] if identifier else []

    def _spelling_match(self, written: str, asked: str) -> Match | None:
        """Return the model that has this name or key, ignoring case and hyphens."""
        if own := spelling.find(written, self._spellings):
            return Match(self._by_id[own], KeyRelation.SAME, None)
        relation, _, identifier = (spelling.find(written, self._keys) or "").partition(" ")
        return _match(self._by_id[identifier], KeyRelation(relation), asked) if identifier else None

    def _with_words(self, name: str, tuned: Set[str] = frozenset()) -> list[Row]:
        """Return the models whose names are these words without makers, sizes, and `tuned` words such as "instruct"."""
        asked = words(name)
        lists = {word: self._by_word.get(word, []) for word in asked} if len(asked) > 1 else {}
        # Only names with all these words fit: try those with the rarest.
        needed = [lists[word] for word in {*lists} - tuned - self._maker_words if not SIZE.fullmatch(word)]
        near = min(needed, key=len) if needed else [written for some in lists.values() for written in some]
        return _entries(written for written in near if written.is_meant(asked, tuned))

    @cached_property
    def _maker_words(self) -> set[str]:
        return {maker for names in self._by_word.values() for written in names for maker in written.makers}

    @cached_property
    def _by_word(self) -> dict[str, list["_Written"]]:
        by_word: dict[str, list[_Written]] = {}
        for written in (known for model in self.models for known in written_names(model)):
            for word in {*written.words}:
                by_word.setdefault(word, []).append(written)
        return by_word

    def _family(self, name: str, *, of_sizes: bool = False, least: int = 2) -> list[Row]:
        """Return the models whose names begin with these words, if at least `least` do.

        With `of_sizes`, only sizes may follow.

        Otherwise, if there are fewer than two such models and no word is a version, return the models whose names
        contain all the words.
        """
        asked = words(name)
        near = self._by_word.get(asked[0], ()) if len("".join(asked)) > 1 else ()
        begun = [name for name in near if name.words == words(name.entry["name"]) and name.words[: len(asked)] == asked]
        family = _entries(name for name in begun if not of_sizes or all(map(SIZE.fullmatch, name.words[len(asked) :])))
        if len(family) < 2 and not of_sizes and all(map(str.isalpha, asked)) and not EARLY.search(name):
            family = _entries(known for known in near if {*asked} <= {*known.words})
        return family if len(family) >= least else []

    def _nearest_names(self, name: str) -> str:
        """Return the end of a message: an edition of another day, a slip of one letter, or names that begin alike."""
        undated, day = _split_day(name)
        for model, _, _ in self.fits(undated) if day else ():
            edition = f"{model['name']} ({model['id']}) of {model['published'] or 'no known day'}"
            return f": it has {edition}, and an edition of another day may come from another training run"
        if near := spelling.nearest(name, self._spellings, 0, only_slips=True):
            return near
        asked = words(re.sub(r"^gpt\W?(?=o\d)", "", name, flags=re.IGNORECASE))  # an o model's name has no GPT
        known = self._by_word.get(asked[0], []) if asked else []
        alike = max((commonprefix([asked, written.words]) for written in known), key=len, default=())
        begun = _entries(written for written in known if alike and written.words[: len(alike)] == alike)
        if not begun and len(asked) > 1:
            begun = _entries(written for written in known if {*asked} <= {*written.words})
        family = (
            f"; names with {' '.join(alike or asked)!r}: {_id_list(begun, spelling.MOST_CANDIDATES)}" if begun else ""
        )
        return f"{family}{WAY_ON}"


class _Written(NamedTuple):
    """The words in one of a model's names, and the words in its makers' names."""

    entry: Row
    words: tuple[str, ...]
    makers: Set[str]

    def is_meant(self, asked: tuple[str, ...], tuned: Set[str]) -> bool:
        """Return whether these words fit this name, ignoring makers, sizes, and `tuned` words such as "instruct"."""
        has_size = any(map(SIZE.fullmatch, asked))
        is_open = self.entry["weights_access"] in ("open", "restricted")
        # If a name has no size, allow tuned words only for available weights, without "base", which is a size in older
        # families.
        allowed = tuned if has_size else tuned - {"base"} if is_open else frozenset()
        asked_words, own_words = {*asked} - self.makers, {*self.words} - self.makers
        return (
            bool(asked_words & own_words)
            and self.entry.get("domain") != Domain.BIOLOGY  # a language model may be called Evo, too
            and [*filter(VERSION.match, asked)] == [*filter(VERSION.match, self.words)]
            and all(_is_size(word, self.entry) for word in asked_words - own_words - allowed)
            and all(has_size and SIZE.fullmatch(word) for word in own_words - asked_words)
        )


@cache
def _bare_name(name: str) -> str:
    if len(name) > spelling.LONGEST_WORD:
        return ""
    return ACTIVE.sub(r"A\1 \2", AROUND.sub("", AROUND.sub("", name)))


def _without_modes(name: str) -> list[str]:
    """Return the name without one of its modes, then without two, and so on: the nearest to the name first.

    >>> _without_modes("gpt-5-thinking-64k-high-effort")[:2], _without_modes("Kimi K2 Thinking")
    (['gpt-5-thinking-64k', 'gpt-5-thinking'], [])
    """
    names = [name] if len(name) <= spelling.LONGEST_WORD else []
    for written in names:  # it grows
        names.extend(rest for rest in (mode.sub("", written) for mode in MODES) if rest not in names)
    return names[1:]


def _in_brackets(models: Iterable[Row]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the words before parentheses and names in them, with the model's id, if no other model has them."""
    owners: dict[tuple[str, ...], set[str]] = {}
    for model in models:
        for outer, inner in BRACKETS.findall(model["name"]):
            initials = "".join(word[0] for word in outer.split())
            is_name = plain(inner).startswith(words(outer)[0]) or inner.upper() == initials.upper()
            is_name |= " " in inner and inner.istitle() and inner.replace(" ", "").isalpha()  # Nano Banana Pro
            for name in [outer] * (not NOT_A_NAME.fullmatch(inner)) + [inner] * is_name:
                owners.setdefault(words(name), set()).add(model["id"])
    return ((name, ids.pop()) for name, ids in owners.items() if len(ids) == 1)


def _match(entry: Row, relation: KeyRelation, asked: str) -> Match:
    where = entry["id"] if _is_record(entry) else "a row of Epoch's table"
    return Match(entry, relation, REMARKS[relation].format(asked=asked, name=entry["name"], id=where))


def written_names(model: Row) -> list[_Written]:
    """Return a model's names as words, keeping only the first of several names with the same words."""
    makers = {*filter(str.isalpha, words(f"{model['organization']} {model['parent_organization']}".replace("+", ",")))}
    if re.match(r"o\d", model["id"]):  # GPT-o1
        makers.add("gpt")
    names = [model["id"], model["name"], *filter(None, (model["aliases"] or "").split(" | "))]
    return [_Written(model, name_words, makers) for name_words in dict.fromkeys(map(words, names))]


def _organizations(model: Row) -> set[str]:
    return {*map(plain, re.split("[,+]", f"{model['organization']}+{model['parent_organization'] or ''}"))} - {""}


def _entries(names: Iterable[_Written]) -> list[Row]:
    return [*{written.entry["id"]: written.entry for written in names}.values()]


def _id_list(models: Sequence[Row], most: int) -> str:
    return ", ".join([*(str(model["id"]) for model in models[:most]), *["…"] * (len(models) > most)])


def _is_size(word: str, model: Row) -> bool:
    size = SIZE.fullmatch(word)
    stated = size and model["active_parameters" if size[1] else "parameters"]
    return bool(size and stated) and 1 / SAME_SIZE <= float(size[2]) * LETTERS[size[3]] / stated <= SAME_SIZE


def _split_day(name: str) -> tuple[str, date | None]:
    """Return the name without the day or month at its end, and the day; for a month, its middle.

    >>> _split_day("command-a-03-2025"), _split_day("gpt-4o-20240513"), _split_day("Llama 3")
    (('command-a', datetime.date(2025, 3, 15)), ('gpt-4o', datetime.date(2024, 5, 13)), ('Llama 3', None))
    """
    for found in filter(None, (form.search(name) for form in DAYS)):
        parts = found.groupdict(default="")
        with suppress(ValueError):  # no such day exists
            year = int(f"20{parts['year'][-2:]}") if "year" in parts else NO_YEAR
            month = parts["month"][:3].title()
            number = int(month) if month.isdigit() else [*month_abbr].index(month)
            day = date(year, number, int(parts.get("day") or MIDDLE))
            return name[: found.start()], day
    return name, None


def _published(model: Row) -> date | None:
    """Return the day of a model or the middle of its month, if it is known."""
    published = model["published"] or ""
    with suppress(ValueError):
        return date.fromisoformat(published if len(published) > 7 else f"{published}-{MIDDLE}")
    return None


def _in_year(day: date, model: Row) -> date:
    """Return the day; a day without a year is at most `EDITION_DAYS` before the model or within a year after it."""
    published = _published(model)
    if day.year != NO_YEAR or not published:
        return day
    in_year = date(published.year, day.month, min(day.day, 28))  # not every year has a 29 February
    return in_year.replace(year=published.year + (in_year < published - timedelta(EDITION_DAYS)))


def _is_of_day(model: Row, day: date) -> bool:
    published = _published(model)
    return published is not None and abs(_in_year(day, model) - published).days <= EDITION_DAYS


def _is_record(model: Row) -> bool:
    return model.get("tier") != Tier.CATALOGUE
