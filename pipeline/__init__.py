"""The pipeline, which turns records into a ledger of training compute; it has the functions of `pipeline.api`."""

from pipeline.api import *  # noqa: F403
from pipeline.api import __all__ as __all__
from pipeline.api import __getattr__ as __getattr__
