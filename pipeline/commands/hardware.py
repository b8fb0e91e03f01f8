"""`flopledger hardware`: all chips of the ledger, or one chip's peaks, memory, power and models."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.answers import ledger, output
from pipeline.answers.options import Csv, Json, refuse_both
from pipeline.answers.terminal import Heading
from pipeline.base.paths import RECORDS
from pipeline.base.text.cells import mark_unread
from pipeline.base.text.numbers import money, number
from pipeline.engines.one_model import NAMES
from pipeline.publishing.rows import Row, rows
from schemas import spelling
from schemas.chips import chosen_chip
from schemas.vocabulary import Evidence, PriceTerms

if TYPE_CHECKING:
    import duckdb

OF_A_CHIP = (  # peaks, models, sources and latest prices
    """select precision, peak_flop_per_second, narrow_accumulate_peak_flop_per_second, evidence
    from peaks where hardware_id = ? order by peak_flop_per_second, precision""",
    """select distinct model_id, published from allocations join models using (model_id) where hardware_id = ?
    order by 2, 1""",
    "select source, title, url from sources where record_kind = 'hardware' and record_id = ? order by 1",
    """select price_kind, price_terms, price_usd, price_date from hardware_prices where hardware_id = ?
    qualify row_number() over (partition by price_kind order by price_date desc, price_usd) = 1""",
)
CORES = "select cores_per_chip from hardware where hardware_id = $1"


def hardware(
    chip_name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="Id, name or alias of a chip; without it, all.")
    ] = None,
    csv: Csv = False,
    json: Json = False,
) -> None:
    """List all chips, or show one.

    One chip is shown with its peaks and their evidence, other names, memory, bandwidth, power, prices and models.
    """
    refuse_both(csv, json)
    if chip_name is not None and csv:
        raise typer.BadParameter("--csv is for the list; one chip is text or --json")
    with ledger.open_ledger() as connection:
        if chip_name is None:
            chips = chip_rows(connection)
            output.write(list(chips[0]), [list(row.values()) for row in chips], as_csv=csv, as_json=json, digits=4)
            return
        row = chip(find_chip(chip_name, connection), connection)
    output.answer(row, screen(row), as_json=json)


def chip_rows(connection: duckdb.DuckDBPyConnection) -> list[Row]:
    """Return a row per chip, by release date: dense peaks (FLOP/s), memory (bytes), power (watts), number of models."""
    return rows(
        connection,
        """with own as (
            select hardware_id, max(peak_flop_per_second) filter (precision = 'fp32') as fp32_peak_flop_per_second,
                max(peak_flop_per_second) filter (precision in ('fp16', 'bf16')) as sixteen_bit_peak_flop_per_second
            from peaks group by hardware_id
        ), used as (select hardware_id, count(distinct model_id) as models from allocations group by hardware_id)
        select hardware_id, released, fp32_peak_flop_per_second, sixteen_bit_peak_flop_per_second, memory_bytes,
            power_watts, coalesce(models, 0) as models
        from hardware left join own using (hardware_id) left join used using (hardware_id)
        order by released, hardware_id""",
    )


def find_chip(name: str, connection: duckdb.DuckDBPyConnection) -> str:
    """Return the id of the chip with this name. Raise LookupError, suggesting the nearest name, if there is none."""
    known = spelling.spellings(rows(connection, NAMES["hardware"]))
    ledger.refuse_unpublished(name, known, RECORDS / "hardware")
    chip = chosen_chip(name, known)
    if chip.cores:
        ((cores_per_chip,),) = connection.execute(CORES, [chip.hardware_id]).fetchall()
        output.remark(f"remark: {name!r} has {chip.chips(cores_per_chip)} chips")
    if chip.is_half:
        output.remark(f"remark: {name!r} is half of a chip")
    return chip.hardware_id


def chip(identifier: str, connection: duckdb.DuckDBPyConnection) -> Row:
    """Return a chip with its peaks, their evidence, and the models trained on it."""
    (chip_row,) = rows(connection, "from hardware where hardware_id = ?", identifier)
    peaks, models, sources, prices = (rows(connection, sql, identifier) for sql in OF_A_CHIP)
    return {
        **chip_row,
        "peaks": peaks,
        "latest_price": {price["price_kind"]: price for price in prices},
        "models": [model["model_id"] for model in models],
        "sources": sources,
    }


def screen(row: Row) -> Iterator[str]:
    """Yield a chip as text, one item per line."""
    line = f", {row['generation']}" if row["generation"] else ""
    yield Heading(f"{row['name']} ({row['hardware_id']}), {row['manufacturer']}{line}, released {row['released']}")
    if row["aliases"]:
        yield f"also: {row['aliases'].replace(' | ', ', ')}"
    yield Heading("dense peaks per chip:")
    for peak in row["peaks"]:
        narrow = peak["narrow_accumulate_peak_flop_per_second"]
        aside = f"; {number(narrow, 4)} with narrow sums, which training does not use" if narrow else ""
        shown = mark_unread(f"{number(peak['peak_flop_per_second'], 4)} FLOP/s", peak["evidence"] == Evidence.UNSEEN)
        yield f"  {peak['precision']}: {shown} ({peak['evidence']}{aside})"
    yield f"memory: {_amount(row['memory_bytes'], 1e9, 'GB')}"
    yield f"memory bandwidth: {_amount(row['memory_bandwidth_bytes_per_second'], 1e9, 'GB/s')}"
    yield f"power: {_amount(row['power_watts'], 1, 'W')}"
    for kind, words in (("purchase", "latest price"), ("rent", "latest rent of one for an hour")):
        price = row["latest_price"].get(kind)
        shown = (
            price and f"{money(price['price_usd'])} on {price['price_date']} ({PriceTerms(price['price_terms']).words})"
        )
        yield f"{words}: {shown or 'the ledger has none'}"
    yield f"models trained on it: {', '.join(row['models']) or 'none in the ledger'}"
    yield Heading("sources:")
    yield from (
        f"  {source['source']}: {', '.join(filter(None, (source['title'], source['url'])))}"
        for source in row["sources"]
    )


def _amount(value: Any, unit: float, word: str) -> str:
    return "unknown" if value is None else f"{value / unit:.4g} {word}"
