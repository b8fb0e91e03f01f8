"""Publications read for facts: their text with its places, quotes found in it, candidates for the facts of a record.

Nothing here writes a fact by itself: a person accepts each candidate.
"""
