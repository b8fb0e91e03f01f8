"""The base of everything that people write."""

from pydantic import BaseModel, ConfigDict


class Strict(BaseModel):
    """Refuses keys that it does not know and words where numbers are wanted."""

    model_config = ConfigDict(extra="forbid", strict=True)
