"""The model that a name means: one that is spelled so, has it as a key elsewhere, or has the same words; never another model.

Commands, Python, tables of others and the site's search all ask here.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence, Set
from datetime import date
from functools import cache, cached_property
from typing import Any, NamedTuple

import duckdb

from pipeline.publishing.rows import rows
from schemas import spelling
from schemas.plain_text import cut
from schemas.vocabulary import KeyRelation, Tier

Row = Mapping[str, Any]
# Newest first, then largest: whoever names a family mostly means its present models.
ENTRIES = f"""with former as (
    select coalesce(replaced_by, record_id) as id,
        string_agg(concat_ws(' | ', record_id, former_ids), ' | ' order by record_id) as former_names
    from identifiers where record_kind = 'models' and (former_ids is not null or replaced_by is not null) group by 1
), others as (
    select model_id, key, relation from keys
    union all select model_id, name, '{KeyRelation.SAME}' from catalogue_estimates where model_id is not null
), elsewhere as (
    select model_id, map_from_entries(list((key, relation) order by key)) as keys
    from (select model_id, key, max(relation) as relation from others group by 1, 2) group by 1
), named as (
    select model_id as id, e.name, nullif(concat_ws(' | ', m.aliases, former_names), '') as aliases, keys, '{Tier.RECORD}' as tier,
        e.published, training_flop, organization, parent_organization, parameters, active_parameters, weights_access
    from estimates e join (select model_id, aliases from models) m using (model_id)
    left join elsewhere using (model_id) left join former on former.id = model_id
    union all
    select name, any_value(name), null, null, '{Tier.CATALOGUE}', max(published), max(training_flop), any_value(organization),
        any_value(parent_organization), max(parameters), max(active_parameters), any_value(weights_access)
    from catalogue_estimates where model_id is null group by name
)
from named order by tier desc, published desc nulls last, training_flop desc nulls last, id"""
# What hubs and APIs write before a name and after it, of the same weights.
AROUND = re.compile(r"^(?:[^/]*/)+|^(?:[a-z]+\d*\.)+(?=[a-z])|(?:[-:]v1[:.]0|:free|-maas)$", re.IGNORECASE)
DAY = re.compile(r"[-_ @(]+(20\d\d)-?([01]\d)-?([0-3]\d)\)?$")
EDITION_DAYS = 31  # an edition of a later day may be of another training
ROUNDED = re.compile(
    r"[-_ :](?:gguf|awq|gptq|mlx|bnb|nvfp4|mxfp4|(?:fp|bf|int)(?:4|8|16)|[48]bit|q\d(?:_\w+)?)(?![a-z0-9])",
    re.IGNORECASE,
)
# Words for weights that were tuned for conversation or are written in another form.
TUNED = {"instruct", "it", "chat", "base", "hf", "uncased"}
PARTS = re.compile(r"[^\w.]+|_|(?<!\d)\.|\.(?!\d)|(?<=[^\W\d_]{2})(?=\d)")  # between words: "Llama3.1-8B" has three
# 4-5 is 4.5, v3 is 3, 2.0 is 2.
VERSIONS = {
    r"(?<![\w.])v(?=\d)": "",
    r"(?<![\w.])(\d{1,2})[-_ :](\d{1,2})(?![\w.])": r"\1.\2",
    r"(?<=\d)\.0(?![\d.])": "",
}
SIZE = re.compile(r"(a?)(?:\d+x)?(\d+(?:\.\d+)?)([mbt])")
LETTERS = {"m": 1e6, "b": 1e9, "t": 1e12}
SAME_SIZE = 1.06  # a factor: more than sizes in names are rounded by
LONGEST_SHOWN = 100  # characters of a name in a message
LEAST_WORDS = 2  # of a name that is not spelled as the model's own
MOST_UNLIKE = 2  # words by which a name differs from one that may be meant
REMARKS = {  # of names that are not the model's own
    KeyRelation.SAME: "{asked!r} is taken as {name} ({id})",
    KeyRelation.VARIANT: "{asked!r} is a variant of {name} ({id}): the number is that of {name}, and has later training only if its record says so",
    KeyRelation.QUANTIZATION: "{asked!r} is {name} ({id}) with rounded weights: the training is the same",
}


class Match(NamedTuple):
    """An entry that a name means, what the name is to the entry, and a sentence if the name is not the entry's own."""

    entry: Row
    relation: KeyRelation
    remark: str | None


class SeveralModelsError(LookupError):
    """A name that fits several models; `models` are their entries, the likeliest first."""

    def __init__(self, name: str, models: Sequence[Row]) -> None:
        """The message names the first of them."""
        self.models = models
        ids = [str(model["id"]) for model in models]
        more = f" and {len(ids) - spelling.LONGEST_LIST} more" if len(ids) > spelling.LONGEST_LIST else ""
        listed = ", ".join(ids[: spelling.LONGEST_LIST])
        super().__init__(f"{name!r} fits {len(models)} models; say which: {listed}{more}")


def entries(connection: duckdb.DuckDBPyConnection) -> list[dict[str, Any]]:
    """Return every model by `id` with its names, keys, makers, sizes, day and number; rows of Epoch's table by name, last."""
    return rows(connection, ENTRIES)


def matched(asked: Iterable[Any], connection: duckdb.DuckDBPyConnection) -> list[Row]:
    """Return the model that each name means, in their order; of a name that means none or several only `remark`, which says what is near."""
    known, found = Names(entries(connection)), list[Row]()
    for name in asked:
        row: Row = dict.fromkeys(("name", "model_id", "tier", "training_flop", "remark")) | {"name": name}
        try:
            if not isinstance(name, str):  # a table's empty cell
                raise LookupError(f"{name!r} is no name")
            entry, _, row["remark"] = known.find(name)
        except LookupError as problem:
            row["remark"] = str(problem)
        else:
            row |= {"model_id": entry["id"], "tier": entry["tier"], "training_flop": entry["training_flop"]}
        found.append(row)
    return found


def find(name: str, models: Sequence[Row]) -> Match:
    """Return what `Names.find` finds among these entries."""
    return Names(models).find(name)


class Names:
    """The names of models, to look up many: each model is an entry as `entries` returns them."""

    def __init__(self, models: Sequence[Row]) -> None:
        self.models = models
        self._by_id = {model["id"]: model for model in reversed(models)}
        self._own = spelling.spellings(models)
        elsewhere = [(model["id"], *item) for model in models for item in (model["keys"] or {}).items()]
        self._keys = spelling.Spellings(
            (key, f"{relation} {identifier}") for identifier, key, relation in reversed(elsewhere)
        )

    def find(self, name: str) -> Match:
        """Return the one model that a name means.

        Raises SeveralModelsError for the name of a family, and UnknownNameError, which names the nearest.
        """
        fits = self.fits(name)
        family = [match.entry for match in fits] or self._family(_bare(name))
        if len(family) > 1:
            raise SeveralModelsError(name, family)
        if not fits:
            raise spelling.UnknownNameError(
                f"{cut(name, LONGEST_SHOWN)!r} is not a model of the ledger{self._instead(_bare(name))}"
            )
        return fits[0]

    def fits(self, name: str) -> list[Match]:
        """Return every model whose name, key or words these are; all sizes of a family, if the name is the family's."""
        if len(name) > spelling.LONGEST_WORD:
            return []
        bare = _bare(name)
        undated = DAY.sub("", bare)
        short = ROUNDED.sub("", undated)
        for written in (name, bare):
            if spelled := self._spelled(written, name):
                own = spelled.entry
                sizes = [] if key(written) in (key(own["id"]), key(own["name"])) else self._family(bare, of_sizes=True)
                return [_match(each, spelled.relation, name) for each in sizes] or [spelled]
        spelled, relation = self._spelled(short, name), KeyRelation.SAME
        fits = [spelled.entry] if spelled else self._with_words(short)
        if not fits and (tuned := TUNED & {*words(short)}):
            relation, fits = KeyRelation.VARIANT, self._with_words(short, tuned)
        if spelled and spelled.relation != KeyRelation.SAME:
            relation = spelled.relation
        elif relation == KeyRelation.SAME and short != undated:
            relation = KeyRelation.QUANTIZATION
        day = DAY.search(bare)
        return [_match(entry, relation, name) for entry in fits if not day or _is_of_day(entry, day)]

    def _spelled(self, written: str, asked: str) -> Match | None:
        """The model that has this name or key, in any case and with or without hyphens."""
        if own := spelling.find(written, self._own):
            return Match(self._by_id[own], KeyRelation.SAME, None)
        relation, _, identifier = (spelling.find(written, self._keys) or "").partition(" ")
        return _match(self._by_id[identifier], KeyRelation(relation), asked) if identifier else None

    def _with_words(self, name: str, tuned: Set[str] = frozenset()) -> list[Row]:
        """The models one of whose names has these words, except for their makers', their sizes, and what was done to the weights."""
        asked = words(name)
        if len(asked) < LEAST_WORDS:
            return []
        near = {id(known): known for word in asked for known in self._by_word.get(word, ())}
        return list(
            {known.entry["id"]: known.entry for known in near.values() if known.is_meant(asked, tuned)}.values()
        )

    @cached_property
    def _by_word(self) -> dict[str, list["_Written"]]:
        by_word: dict[str, list[_Written]] = {}
        for written in (known for model in self.models for known in _written(model)):
            for word in {*written.words}:
                by_word.setdefault(word, []).append(written)
        return by_word

    @cached_property
    def _by_first_word(self) -> dict[str, list[Row]]:
        by_word: dict[str, list[Row]] = {}
        for model in self.models:
            by_word.setdefault(next(iter(words(model["name"])), ""), []).append(model)
        return by_word

    def _family(self, name: str, *, of_sizes: bool = False) -> list[Row]:
        """The models whose name begins with these words and, of sizes, goes on with sizes only; else those that have all words, if none is a version.

        None if there is only one.
        """
        asked = words(name) if len(name) <= spelling.LONGEST_WORD else ()
        if len("".join(asked)) < LEAST_WORDS:
            return []
        begun = [(model, words(model["name"])) for model in self._by_first_word.get(asked[0], ())]
        rests = [(model, name[len(asked) :]) for model, name in begun if name[: len(asked)] == asked]
        family = [model for model, rest in rests if not of_sizes or all(map(SIZE.fullmatch, rest))]
        if len(family) < LEAST_WORDS and not of_sizes and all(map(str.isalpha, asked)):
            rarest = min((self._by_word.get(word, []) for word in asked), key=len)
            family = list({known.entry["id"]: known.entry for known in rarest if {*asked} <= {*known.words}}.values())
        return family if len(family) > 1 else []

    def _instead(self, name: str) -> str:
        """What to say of a name that is no model's: the model of another day, or up to three that share words or are spelled alike."""
        for model in (match.entry for match in (self.fits(DAY.sub("", name)) if DAY.search(name) else [])):
            said = f"{model['name']} ({model['id']}) of {model['published'] or 'no known day'}"
            return f": it has {said}, and an edition of another day may be another training"
        asked = {*words(name)} if len(name) <= spelling.LONGEST_WORD else set()
        unlike: dict[str, int] = {}
        for known in (known for word in asked if word.isalpha() for known in self._by_word.get(word, ())):
            own = {*known.words}
            if len(asked ^ own) <= min(MOST_UNLIKE, len(asked & own)):
                unlike[known.entry["id"]] = min(len(asked ^ own), unlike.get(known.entry["id"], MOST_UNLIKE))
        ids = dict.fromkeys([*sorted(unlike, key=unlike.__getitem__), *spelling.candidates(name, self._own)])
        near = " or ".join(map(repr, [*ids][: spelling.MOST_CANDIDATES]))
        return (
            f"; did you mean {near}?"
            if near
            else "; `flopledger list --tier all --search WORD` looks for a word in all names"
        )


class _Written(NamedTuple):
    """The words of one name of a model, and of its makers."""

    entry: Row
    words: tuple[str, ...]
    makers: Set[str]

    def is_meant(self, asked: tuple[str, ...], tuned: Set[str]) -> bool:
        """Whether these words are this name's, but for makers, sizes and what was done to the weights."""
        if _versions(asked) != _versions(self.words):
            return False
        has_size = any(map(SIZE.fullmatch, asked))
        is_open = self.entry["weights_access"] in ("open", "restricted")
        # Without a size only weights that are there can be tuned; a base is a size of its own in older families.
        allowed = tuned if has_size else tuned - {"base"} if is_open else frozenset()
        wanted, own = {*asked} - self.makers, {*self.words} - self.makers
        return (
            bool(wanted & own)
            and all(_is_size(word, self.entry) for word in wanted - own - allowed)
            and all(has_size and SIZE.fullmatch(word) for word in own - wanted)
        )


def forms(model: Row) -> list[str]:
    """Return the words of each name of a model without its makers', sorted and joined, by which the site's search compares."""
    return list(dict.fromkeys(" ".join(sorted({*known.words} - known.makers)) for known in _written(model)))


def key(name: str) -> str:
    """The letters and digits of a name, without case and accents; a search compares keys.

    >>> key("Llama 3.1-405B"), key("Côté_2."), key("Command R+")
    ('llama3.1405b', 'cote2', 'commandrplus')
    """
    return spelling.plain(unicodedata.normalize("NFKD", name))


@cache
def words(name: str) -> tuple[str, ...]:
    """The words of a name, without case and accents; a version is one word, however it is written.

    >>> words("Llama3.1-405B"), words("GPT-4o"), words("claude-opus-4-5"), words("DeepSeek-V3")
    (('llama', '3.1', '405b'), ('gpt', '4o'), ('claude', 'opus', '4.5'), ('deepseek', '3'))
    """
    letters = (letter for letter in unicodedata.normalize("NFKD", name).lower() if not unicodedata.combining(letter))
    plain = " ".join(filter(None, PARTS.split("".join(letters).replace("+", " plus "))))
    for written, version in VERSIONS.items():
        plain = re.sub(written, version, plain)
    return tuple(plain.split())


def _bare(name: str) -> str:
    return AROUND.sub("", AROUND.sub("", name)) if len(name) <= spelling.LONGEST_WORD else name


def _match(entry: Row, relation: KeyRelation, asked: str) -> Match:
    where = entry["id"] if entry.get("tier") != Tier.CATALOGUE else "a row of Epoch's table"
    return Match(entry, relation, REMARKS[relation].format(asked=asked, name=entry["name"], id=where))


def _written(model: Row) -> list[_Written]:
    makers = {*filter(str.isalpha, words(f"{model['organization']} {model['parent_organization']}"))}
    names = [model["id"], model["name"], *filter(None, (model["aliases"] or "").split(" | "))]
    return [_Written(model, known, makers) for known in dict.fromkeys(map(words, names))]


@cache
def _versions(name: tuple[str, ...]) -> list[str]:
    return [word for word in name if word[0].isdigit() and not SIZE.fullmatch(word)]


def _is_size(word: str, model: Row) -> bool:
    size = SIZE.fullmatch(word)
    stated = size and model["active_parameters" if size[1] else "parameters"]
    return bool(size and stated) and 1 / SAME_SIZE <= float(size[2]) * LETTERS[size[3]] / stated <= SAME_SIZE


def _is_of_day(model: Row, day: re.Match[str]) -> bool:
    try:
        return abs(date(*map(int, day.groups())) - date.fromisoformat(model["published"] or "")).days <= EDITION_DAYS
    except ValueError:  # there is no such day, or the model's is not known
        return False
