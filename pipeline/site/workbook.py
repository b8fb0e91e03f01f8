"""estimates.xlsx: the published estimates and the meaning of their columns, with text as text and no date of its making."""

import io
from datetime import datetime

from pipeline.publishing import csv_cells
from pipeline.site.ledger import Ledger
from pipeline.site.page import Site


def write(site: Site, ledger: Ledger) -> None:
    """Writes latest/estimates.xlsx; the same bytes for the same values."""
    import xlsxwriter  # of the group `site`: who builds no site needs no workbook

    content = io.BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with xlsxwriter.Workbook(content, options) as book:
        book.set_properties({"title": "FLOP Ledger: estimates", "comments": f"version {site.version}", "created": datetime.fromisoformat(site.version[:10])})  # fmt: skip
        bold, power = book.add_format({"bold": True}), book.add_format({"num_format": "0.00E+00"})
        sheet = book.add_worksheet("estimates")
        rows = ledger.rows("estimates")
        columns = list(rows[0]) if rows else []
        sheet.write_row(0, 0, columns, bold)
        sheet.freeze_panes(1, 2)
        for number, row in enumerate(rows, 1):
            for place, name in enumerate(columns):
                value = row[name]
                if isinstance(value, bool):
                    sheet.write_boolean(number, place, value)
                elif isinstance(value, float | int):
                    rounded = float(f"{value:.{csv_cells.DIGITS}g}")
                    sheet.write_number(
                        number, place, rounded, power if name.endswith("_flop") or abs(rounded) >= 1e6 else None
                    )
                elif value is not None:
                    sheet.write_string(number, place, str(value))
        sheet.set_column(0, 1, 24)
        sheet.set_column(2, len(columns), 16)
        meaning = book.add_worksheet("columns")
        meaning.write_row(0, 0, ["column", "meaning"], bold)
        for number, name in enumerate(columns, 1):
            meaning.write_string(number, 0, name)
            meaning.write_string(number, 1, ledger.descriptions.get(name, ""))
        meaning.set_column(0, 0, 34)
        meaning.set_column(1, 1, 100)
    site.bytes("latest/estimates.xlsx", content.getvalue())
