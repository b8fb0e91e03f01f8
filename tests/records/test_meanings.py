"""What a number in a quote means: by the words next to it, and by the heading of its column."""

import pytest

from pipeline.records import meanings
from schemas.facts import Chips, ChipTime, Count, Duration, Quote

WORDS = {  # the fact, what it states, the words of its quote, and the start of the message
    "chips": ("chips", Chips, {"value": 64}, "16 days on 64 GPUs", None),
    "days, not chips": ("chips", Chips, {"value": 16}, "16 days on 64 GPUs", "16 is a time in the quote"),
    "chips, not days": ("duration", Duration, {"value": "64 day"}, "16 days on 64 A100 GPUs", "64 day is chips"),
    "steps, not a batch": ("batch", Count, {"value": 8e5}, "800,000 mini-batch updates", "800000 is steps in"),
    "a batch by the words before it": ("batch", Count, {"value": 2048}, "sequence length 512, batch size of 2048", None),
    "a length, not a batch": ("batch", Count, {"value": 512}, "sequence length 512, batch size of 2048", "512 is a length"),
    "an article": ("batch", Count, {"value": 1}, "with a batch size of 256", "1 is an article"),
    "nodes": ("chips", Chips, {"value": 16}, "on 16 nodes", "16 is nodes in the quote; correct it, or multiply"),
    "nodes times eight": ("chips", Chips, {"value": 128, "derived": "16 * 8"}, "on 16 nodes", None),
    "halves of a chip": ("chips", Chips, {"value": 512}, "on 512 GCDs of MI250X", "512 is parts of chips in the quote; correct it, or divide"),
    "a rate": ("examples", Count, {"value": 6300}, "6,300 words per second", "6300 is a rate in the quote; correct it, or multiply"),
    "a repeated slip": ("chips", Chips, {"value": 16, "derived": "16"}, "16 days on 64 GPUs", "16 is a time"),
    "a bound": ("chips", Chips, {"value": 64}, "up to 64 GPUs", "is a bound in the quote (“up to”); write at_most"),
    "a bound as such": ("chips", Chips, {"at_most": 64}, "up to 64 GPUs", None),
    "a bound with its reason": ("chips", Chips, {"value": 64, "note": "All ran."}, "up to 64 GPUs", None),
    "a longest text": ("sequence_length", Count, {"value": 512}, "up to 512 tokens", None),
    "chips by their name": ("duration", Duration, {"value": "32 day"}, "AdamW 32xH100 19.8 Hours", "32 day is chips"),
    "batches": ("chips", Chips, {"value": 1e4}, "10,000 mini-batches of 128 games, using 50 GPUs", "10000 is steps"),
    "a time in a log": ("steps", Count, {"value": 10493}, "total_training_time 10493", "10493 is a time"),
    "a year": ("examples", Count, {"value": 2012}, "ImageNet 2012 training set", "2012 is a year"),
    "words that tell nothing": ("chips", Chips, {"value": 16}, "| 16 | 64 |", None),
}  # fmt: skip


@pytest.mark.parametrize(("key", "kind", "stated", "text", "message"), WORDS.values(), ids=WORDS)
def test_a_number_means_what_the_words_next_to_it_say(key, kind, stated, text, message):
    quotes = {"a": Quote(source="paper", text=text, found_at="page 1")}
    doubt = meanings.doubt(key, kind(quote=["a"], **stated), quotes)
    assert doubt is None if message is None else doubt.startswith(message)


ROWS = {  # the quoted row, the words that name its columns, the stated column, and the heading of 4,282,407
    "cells": ("34B | 3,072 | 4,282,407 | 91", "columns: size, GPUs, GPU hours, t", "GPU hours"),
    "another column": ("34B | 3,072 | 4,282,407 | 91", "columns size, GPU hours, GPUs and t", "GPUs"),
    "a name without heading": ("| 34B | 3,072 | 4,282,407 |", "table 2, columns GPUs and GPU hours", "GPU hours"),
    "HTML": ("<td>34B</td> <td>3,072</td><td>4,282,407</td>", "columns size, GPUs, GPU hours", "GPU hours"),
    "TeX, and another row": ("13B & 1 & 2\n34B & 3,072 & 4,282,407 \\\\", "columns size, GPUs, GPU hours", "GPU hours"),
    "too few cells": ("34B | 4,282,407", "columns size, GPUs, GPU hours", None),
    "no columns": ("34B | 3,072 | 4,282,407", "table 2", None),
}


@pytest.mark.parametrize(("text", "where", "heading"), ROWS.values(), ids=ROWS)
def test_a_column_is_where_its_heading_is(text, where, heading):
    quotes = {"a": Quote(source="paper", text=text, where=where, found_at="page 1")}
    stated = ChipTime(quote=["a"], value="4282407 chip_hour", column="GPU hours")
    wrong = meanings.doubt("chip_time", stated, quotes)
    under = f"under {heading!r}" if heading else "under no heading that `where:` names"
    assert wrong == (
        None if heading == "GPU hours" else f"is {under}, not under its column 'GPU hours'; correct one of them"
    )
