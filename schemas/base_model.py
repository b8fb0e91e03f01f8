"""The base class for models of hand-written files."""

from pydantic import BaseModel, ConfigDict


class Strict(BaseModel):
    """A model that refuses unknown keys and text for numbers. Its validator is built on first use, to save time."""

    model_config = ConfigDict(extra="forbid", strict=True, defer_build=True)
