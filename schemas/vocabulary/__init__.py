"""Closed vocabularies: the only words allowed in certain record keys and table columns."""

from schemas.vocabulary.disputes import *
from schemas.vocabulary.facts import *
from schemas.vocabulary.footprints import *
from schemas.vocabulary.measurements import *
from schemas.vocabulary.methods import *
from schemas.vocabulary.models import *
from schemas.vocabulary.readings import *
from schemas.vocabulary.wording import *
