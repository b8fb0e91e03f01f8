"""The models that a name may mean, as people write names: ids, aliases, Hub ids, API names with a date, families.

Commands and Python need the one model that is meant; the site's search lists what holds the words written so far, by the keys and in the order of here.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

import duckdb

from pipeline.publishing.rows import rows
from schemas import spelling
from schemas.plain_text import cut
from schemas.vocabulary import Tier

Row = Mapping[str, Any]
# Newest first, then largest: whoever names a family mostly means its present models.
ENTRIES = f"""with former as (
    select coalesce(replaced_by, record_id) as id,
        string_agg(concat_ws(' | ', record_id, former_ids), ' | ' order by record_id) as former_names
    from identifiers where record_kind = 'models' and (former_ids is not null or replaced_by is not null) group by 1
), named as (
    select model_id as id, e.name, nullif(concat_ws(' | ', m.aliases, former_names), '') as aliases, '{Tier.RECORD}' as tier,
        e.published, training_flop, organization
    from estimates e join (select model_id, aliases from models) m using (model_id)
    left join former on former.id = model_id
    union all
    select name, any_value(name), null, '{Tier.CATALOGUE}', max(published), max(training_flop), any_value(organization)
    from catalogue_estimates where model_id is null group by name
)
from named order by tier desc, published desc nulls last, training_flop desc nulls last, id"""
# What an API or the Hub adds to a model's name: its owner before it, a day or a channel after it.
OWNER = re.compile(r"[\w.-]+/")
EDITION = re.compile(r"[-_ @](?:latest|preview|hf|\d{4}-?\d{2}-?\d{2}|\d{3,4})(?:-v\d+(?::\d+)?)?$")
# Where words of a name part: "Llama3.1-8B" is llama, 3.1, 8b.
PARTS = re.compile(r"[^\w.]+|_|(?<=[^\W\d_]{2})(?=\d)|(?<!\d)\.|\.(?!\d)")
LONGEST_SHOWN = 100  # characters of a name in a message
LEAST_LETTERS = 2  # of a name of a family


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
    """Every model by `id`, with `name`, `aliases`, `tier`, `published`, `training_flop` and `organization`; rows of Epoch's table by name, last."""
    return rows(connection, ENTRIES)


def find(name: str, models: Sequence[Row]) -> Row:
    """The entry of the one model that a name means: its id, name or alias, that without an owner or an edition, or words that one model alone has.

    Raises SeveralModelsError, and UnknownNameError with the nearest.
    """
    by_id = {model["id"]: model for model in reversed(models)}
    known = spelling.spellings(models)
    whole = OWNER.sub("", name, count=1) if len(name) <= spelling.LONGEST_WORD else name
    for written in (name, whole, EDITION.sub("", whole)):
        identifier = spelling.find(written, known)
        if identifier is not None:
            return by_id[identifier]
    family = matches(EDITION.sub("", whole), models)
    if len(family) > 1:
        raise SeveralModelsError(name, family)
    if family:
        return family[0]
    near = " or ".join(map(repr, _nearest(whole, models, known)))
    advice = (
        f"did you mean {near}?" if near else "`flopledger list --tier all --search WORD` looks for a word in all names"
    )
    raise spelling.UnknownNameError(f"{cut(name, LONGEST_SHOWN)!r} is not a model of the ledger; {advice}")


def is_name_of(name: str, model: Row) -> bool:
    """Whether this is the model's id or one of its names, and not merely words or an edition of it."""
    return spelling.find(OWNER.sub("", name, count=1), spelling.spellings([model])) is not None


def matches(name: str, models: Sequence[Row]) -> list[Row]:
    """The models whose name begins with these words; where fewer than two do, those of which one name has them all.

    >>> llama = {"id": "llama-3-1-8b", "name": "Llama 3.1 8B", "aliases": None}
    >>> [len(matches(name, [llama])) for name in ("llama3.1", "8B llama", "llama 3", "ma")]
    [1, 1, 0, 0]
    """
    wanted = words(name)
    if len(name) > spelling.LONGEST_WORD or sum(map(len, wanted)) < LEAST_LETTERS:
        return []
    beginning = [model for model in models if words(model["name"])[: len(wanted)] == wanted]
    if len(beginning) > 1:
        return beginning
    return [model for model in models if any({*wanted} <= {*words(known)} for known in _names(model))]


def key(name: str) -> str:
    """The letters and digits of a name, without case and accents; a search compares keys.

    >>> key("Llama 3.1-405B"), key("Côté_2.")
    ('llama3.1405b', 'cote2')
    """
    return spelling.plain(unicodedata.normalize("NFKD", name))


def words(name: str) -> list[str]:
    """The words of a name, without case and accents.

    >>> words("Llama3.1-405B"), words("GPT-4o"), words("ViT-G/14")
    (['llama', '3.1', '405b'], ['gpt', '4o'], ['vit', 'g', '14'])
    """
    plain = "".join(
        letter for letter in unicodedata.normalize("NFKD", name).lower() if not unicodedata.combining(letter)
    )
    return list(filter(None, PARTS.split(plain)))


def _names(model: Row) -> list[str]:
    return [model["name"], *(model["aliases"] or "").split(" | ")]


def _nearest(name: str, models: Sequence[Row], known: spelling.Spellings) -> list[str]:
    """Up to three ids: of models whose whole name is among these words, the longest first, then of those spelled alike."""
    wanted = {*words(name)} if len(name) <= spelling.LONGEST_WORD else set()
    inside = [(len(parts), model["id"]) for model in models if (parts := {*words(model["name"])}) and parts <= wanted]
    ids = [identifier for _, identifier in sorted(inside, key=lambda pair: -pair[0])]
    return list(dict.fromkeys([*ids, *spelling.candidates(name, known)]))[: spelling.MOST_CANDIDATES]
