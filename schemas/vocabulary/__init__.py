"""Closed vocabularies: the only words that certain keys of records and columns of tables may have."""

from schemas.vocabulary.disputes import *
from schemas.vocabulary.facts import *
from schemas.vocabulary.footprints import *
from schemas.vocabulary.measurements import *
from schemas.vocabulary.methods import *
from schemas.vocabulary.models import *
from schemas.vocabulary.readings import *
from schemas.vocabulary.worded import *
