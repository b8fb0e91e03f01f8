"""Checks of blind second readings: each fact is read once per model, and places in repositories name a commit."""

from collections.abc import Iterator

from pipeline.records.checks.record import RecordChecks
from pipeline.records.places import AT_COMMIT, NO_COMMIT
from pipeline.records.yaml_text import Mistake


class ReadingChecks(RecordChecks):
    """Checks of one reader's file."""

    def mistakes(self) -> Iterator[Mistake]:
        """Yield every mistake in the readings of the file."""
        for model_id, model_readings in self.record.models.items():
            paths = [reading.path for reading in model_readings.facts if reading]
            for index, reading in enumerate(model_readings.facts):
                steps = ("models", model_id, "facts", index)
                if reading.path and reading.path in paths[:index]:
                    better = "keep the better reading, and put the other into its note"
                    message = f"{reading.path} has already been read; {better}"
                    yield self._mistake(message, *steps, "path")
                places = {("place", number): place for number, place in enumerate(reading.place)}
                if reading.settled and reading.settled.place:
                    places["settled", "place"] = reading.settled.place
                for steps_inside, place in places.items():
                    if place.startswith("github:") and not AT_COMMIT.fullmatch(place):
                        yield self._mistake(NO_COMMIT, *steps, *steps_inside)
