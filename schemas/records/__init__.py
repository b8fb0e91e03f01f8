"""What each YAML file of a hand-written record may contain. pipeline/records/loading.py checks across records."""

from schemas.records.judgements import *
from schemas.records.ledger import *
from schemas.records.measurements import *
from schemas.records.models import *
from schemas.records.parts import *
from schemas.records.reference_data import *
from schemas.records.training import *
