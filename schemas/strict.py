"""The base of all models of hand-written files."""

from pydantic import BaseModel, ConfigDict


class Strict(BaseModel):
    """Refuses unknown keys, and text in place of numbers. What validates is made when first used: most commands use few models."""

    model_config = ConfigDict(extra="forbid", strict=True, defer_build=True)
