"""Load the blind test: figures of others in blind_test.csv, each with the estimate that was sealed before."""

from collections.abc import Iterable
from pathlib import Path

from pipeline.records.measured_tables import valid_rows
from pipeline.records.places import rows_of
from pipeline.records.yaml_text import Mistake
from schemas.records import BlindFigure
from schemas.vocabulary import Verdict

FILE, SEALED = "blind_test.csv", "sealed.csv"


def read(folders: Iterable[Path], mistakes: list[Mistake]) -> dict[str, tuple[BlindFigure, dict[str, str]]]:
    """Return each figure with its model's sealed row, by id. Add a mistake for a row that contradicts the seal."""
    folders, figures = list(folders), dict[str, tuple[BlindFigure, dict[str, str]]]()
    sealed: dict[str, dict[str, str]] = {}
    for row in rows_of(SEALED, folders):
        sealed.setdefault(row["model_id"], row)  # only a model's first row counts
    for file in (folder / FILE for folder in folders if (folder / FILE).is_file()):
        for line, figure in valid_rows(file, BlindFigure, mistakes):
            seal, name = sealed.get(figure.model_id), figure.model_id
            problem = None
            if name in figures:
                problem = f"{name!r} occurs twice"
            elif not seal or not seal["p50_flop"]:
                problem = f"{name!r} has no sealed number"
            elif (figure.verdict == Verdict.INSIDE) != (
                float(seal["p5_flop"]) <= figure.stated_flop <= float(seal["p95_flop"])
            ):
                problem = f"{figure.stated_flop:g} and {figure.verdict} contradict the sealed 90 % interval of {name!r}"
            if problem:
                mistakes.append(Mistake(str(file), line, "", problem))
            elif seal:
                figures[name] = figure, seal
    return figures
