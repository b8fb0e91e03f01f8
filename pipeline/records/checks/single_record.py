"""Checks of a record that need no other record: of its evidence, networks and names."""

import math
import re
from collections.abc import Iterator

from pipeline.architectures import FLAGS_SINCE, left_to_family
from pipeline.architectures.network import Lengths
from pipeline.records import cited_cells
from pipeline.records.checks import slips, stages
from pipeline.records.checks.adjudications import AdjudicationChecks
from pipeline.records.checks.evidence import EvidenceChecks, is_bare_row, steps_of
from pipeline.records.checks.gold_runs import GoldChecks
from pipeline.records.checks.physics import EXPLAINED_FACTOR, REFUSED_FACTOR, REMARKED_FACTOR, odd_parameters
from pipeline.records.checks.record import RecordChecks
from pipeline.records.yaml_text import Mistake
from schemas import records as schema
from schemas.arithmetic import arithmetic
from schemas.records import Measurement, Model
from schemas.spelling import plain
from schemas.vocabulary import KINDS_OF_DOMAINS, KINDS_OF_EXAMPLES, Accounting, Scope, WeightsAccess

RELEASED = re.compile(r"\breleased as\b|\bweights (?:are|were) released\b", re.IGNORECASE)
HUB = re.compile(r"https://huggingface\.co/[\w.-]+/([\w.-]+)/?")


class OwnChecks(RecordChecks):
    """Checks of one record by itself. The result remains valid until the record's file changes."""

    def mistakes(self) -> Iterator[Mistake]:
        """Yield every mistake that can be found in the record itself."""
        yield from EvidenceChecks(self.loaded).mistakes()
        if isinstance(self.record, Model):
            yield from self._model(self.record)
        if isinstance(self.record, schema.Chip):
            yield from self._slips((*slips.sparse_peaks(self.record), *slips.odd_ratios(self.record)))
        if isinstance(self.record, Measurement):
            yield from self._measurement(self.record)
        if isinstance(self.record, schema.Defaults):
            yield from self._defaults(self.record)
        if isinstance(self.record, schema.Erratum):
            yield from self._erratum(self.record)
        if isinstance(self.record, schema.GoldRuns):
            yield from GoldChecks(self.loaded).mistakes()
        if isinstance(self.record, schema.Adjudications):
            yield from AdjudicationChecks(self.loaded).mistakes()
        if isinstance(self.record, schema.SecondReadings):
            yield from self._second_readings(self.record)

    def _defaults(self, defaults: schema.Defaults) -> Iterator[Mistake]:
        for index, default in enumerate(defaults.values if defaults.quantity in schema.SHARES else []):
            if default.value > 1:
                message = f"{default.value:g} is more than 1, and {defaults.quantity} is a share"
                yield self._mistake(message, "values", index, "value")

    def _second_readings(self, readings: schema.SecondReadings) -> Iterator[Mistake]:
        """Yield a mistake for each fact of a model that the reader has already read."""
        for model_id, model_readings in readings.models.items():
            paths = [reading.path for reading in model_readings.facts if reading]
            for index, path in enumerate(paths):
                if path and path in paths[:index]:
                    message = f"{path} has already been read; keep the better reading, and put the other into its note"
                    yield self._mistake(message, "models", model_id, "facts", index, "path")

    def remarks(self) -> Iterator[Mistake]:
        """Yield remarks on valid facts that omit something that their source probably states."""
        bare = [name for name, quote in self.record.quotes.items() if quote and is_bare_row(quote)]
        if bare:
            lack = f"{len(bare)} of {len(self.record.quotes)} quotes lack it"
            message = f"is a table row without a `where` that names its row and column ({lack})"
            yield self._mistake(message, "quotes", bare[0])
        for path, fact in schema.facts(self.record):
            if fact.via and (message := cited_cells.difference(fact)):
                yield self._mistake(message, *steps_of(path))
        if isinstance(self.record, Model):
            yield from self._remarks_on_model(self.record)
        if not isinstance(self.record, Measurement):
            return
        silent = [place for place, row in enumerate(self.record.rows) if row.batch is None]
        if silent:
            lack = f"{len(silent)} of {len(self.record.rows)} rows lack it"
            message = f"has a throughput without a batch ({lack}), so the work of one step is unknown"
            yield self._mistake(message, "rows", silent[0])

    def _remarks_on_model(self, model: Model) -> Iterator[Mistake]:
        if name := stages.unentered_stage(model):
            way_on = "enter it as a separate phase, or list what is not known about it in `missing`, with looked_in"
            message = f"names a second stage or sequence length, but the record has one phase; {way_on}"
            yield self._mistake(message, "quotes", name)
        factor, message = odd_parameters(model)
        if factor > EXPLAINED_FACTOR or (factor >= REMARKED_FACTOR and not _has_note(model)):
            yield self._mistake(message, "parameters")
        yield from self._slips(slips.remarks(model))
        kinds = KINDS_OF_DOMAINS.get(model.domain)
        for index, phase in enumerate(model.training):
            if kinds and kinds.isdisjoint(KINDS_OF_EXAMPLES.get(phase.example_unit, kinds)):
                message = f"is {phase.example_unit}, but the domain is {model.domain}; is one of them wrong?"
                yield self._mistake(message, "training", index, "example_unit")
        for path, architecture in model.networks(since=FLAGS_SINCE).items():
            for _, message in left_to_family(architecture.settings).values():
                yield self._mistake(f"{message}; state it", *steps_of(path), "family")

    def _access(self, model: Model) -> Iterator[Mistake]:
        """Yield a mistake if the record calls weights closed, but its notes or sources show that they were released."""
        if model.weights_access is None or model.weights_access.value != WeightsAccess.CLOSED:
            return
        names = {plain(name) for name in (self.loaded.identifier, model.name, *model.aliases)}
        pages = [HUB.fullmatch(source.url or "") for source in model.sources.values() if source]
        on_hub = next((page[0] for page in pages if page and plain(page[1]) in names), None)
        words = RELEASED.search(f"{model.note or ''} {model.weights_access.note or ''}")
        if on_hub or words:
            message = on_hub or f"the note's “{words[0] if words else ''}”"
            message = f"is closed, contrary to {message}; write open or restricted, with a quote"
            yield self._mistake(message, "weights_access")

    def _erratum(self, erratum: schema.Erratum) -> Iterator[Mistake]:
        """Yield a mistake if the factors are not arithmetic, or do not give the corrected value."""
        result = arithmetic(erratum.factors)
        if result is None:
            yield self._mistake(f"{erratum.factors!r} is not arithmetic (digits + - * / ** ( ))", "factors")
        elif erratum.corrected_value and not math.isclose(result, erratum.corrected_value.amount, rel_tol=5e-3):
            message = f"the factors give {result:.6g}, not {erratum.corrected_value.written}"
            yield self._mistake(message, "corrected_value")

    def _model(self, model: Model) -> Iterator[Mistake]:
        """Yield mistakes in a model's scope, access, parameters, repeated names, phases, networks and `missing`."""
        if model.scope not in (None, Scope.SINGLE) and not model.scope_note:
            message = f"is missing; state which networks, members or trials {model.scope} covers"
            yield self._mistake(message, "scope_note")
        yield from self._access(model)
        factor, message = odd_parameters(model)
        if factor >= REFUSED_FACTOR and not _has_note(model):
            yield self._mistake(message, "parameters")
        yield from self._slips(slips.mistakes(model))
        ids = [external_estimate.id for external_estimate in model.external_estimates]
        yield from self._repeated_names(ids, "id of external estimate", "external_estimates", "id")
        yield from self._repeated_names([phase.phase for phase in model.training], "name of phase", "training", "phase")
        for path, fact in schema.facts(model):
            if fact.inherited_from not in (None, model.like):
                yield self._mistake(f"{path} has inherited_from, which only `like:` writes; delete it", "like")
        for index, phase in enumerate(model.training):
            timed = [other.phase for other in model.training if other.hardware and other is not phase]
            if phase.timed_with is not None and phase.timed_with not in timed:
                yield self._refusal(phase.timed_with, "a phase with hardware", timed, "training", index, "timed_with")
            architecture = model.architecture_of(phase)
            if architecture is not None:
                owner = ("training", index, "architecture") if phase.architecture else ("architecture",)
                # The ends of a range are counted, too, for its width.
                for lengths in dict.fromkeys((phase.sequence_lengths, *model.length_ends(phase))):
                    problems = [*self._count_problems(architecture, Lengths(*lengths), owner, ("training", index))]
                    yield from problems
                    if problems:
                        break
        if model.architecture is not None and not model.training:
            yield from self._count_problems(model.architecture, Lengths(), ("architecture",), ())

        fact_names = {*Model.model_fields, *schema.Phase.model_fields, *schema.Allocation.model_fields, *Accounting}
        for index, missing in enumerate(model.missing):
            if missing.fact and missing.fact not in fact_names:
                yield self._refusal(missing.fact, "a fact of a model", fact_names, "missing", index, "fact")

    def _measurement(self, measurement: Measurement) -> Iterator[Mistake]:
        """Yield mistakes: repeated names of rows, networks that cannot be counted, rates without a needed length."""
        yield from self._repeated_names([row.row for row in measurement.rows], "name of row", "rows", "row")
        for index, row in enumerate(measurement.rows):
            steps = ("rows", index)
            architecture = measurement.architectures.get(row.architecture)
            if architecture is not None:
                place = ("architectures", row.architecture)
                yield from self._count_problems(architecture, Lengths(*row.sequence_lengths), place, steps)
            if row.throughput and row.throughput.amount_unit == "token_per_second" and row.sequence_length is None:
                yield self._mistake("tokens per second need a sequence_length", *steps, "sequence_length")
        # Tasks may use the other architectures; lengths of tasks are checked together with the other records.
        for name in set(measurement.architectures) - {row.architecture for row in measurement.rows}:
            yield from self._count_problems(measurement.architectures[name], Lengths(), ("architectures", name), ())


def _has_note(model: Model) -> bool:
    return any(fact is not None and fact.note for fact in (model.parameters, model.architecture))
