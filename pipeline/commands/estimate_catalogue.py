"""`flopledger estimate --from`: estimates for every row of another catalogue, by the ledger's rules."""

from pathlib import Path

from pipeline.base.text.progress import working
from pipeline.commands import output
from pipeline.commands.problems import reported


def estimate_catalogue(file: Path, out: Path) -> None:
    """Write estimates for all rows of a catalogue, and print how many rows have one."""
    from pipeline.catalogues import epoch, estimates, headlines, written
    from pipeline.catalogues.cells import CatalogueError, check_size
    from pipeline.records import params
    from pipeline.records.ledger import load_among
    from pipeline.records.yaml_text import RecordError
    from schemas.errors import ContractError

    with reported(RecordError, ContractError, CatalogueError):
        if out.resolve() == file.resolve():
            raise LookupError(f"{out} is the catalogue itself; name another file for the estimates")
        written.check(out)  # check now, because estimation takes minutes
        check_size(file)
        with working(file.name) as show:
            show("reading the ledger's records and headlines")
            parameters = params.load()
            records = load_among()
            known = headlines.of_ledger(records, parameters)
            show("reading the table")
            catalogue = epoch.read(file, records)
            show("estimating the rows")
            done = written.write(estimates.estimate(catalogue, records, parameters, known), out)
    for remark in catalogue.remarks:
        output.remark(remark)
    output.tell([written.summary(done, out)])
