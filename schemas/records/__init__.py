"""The schema of hand-written records: what each YAML file may contain. Checks across records are in pipeline/records/loading.py."""

from schemas.records.judgements import *
from schemas.records.ledger import *
from schemas.records.measurements import *
from schemas.records.models import *
from schemas.records.parts import *
from schemas.records.training import *
from schemas.records.watched import *
