"""Helpers that read the site's scripts."""

import gzip
import json
import re

SCRIPT = re.compile(r'\(\(self\.FLOP \?\?= \{\}\)\.values \?\?= \{\}\)\.\w+ = ("(?:[^"\\\n\r]|\\["\\nr])*");\n')


def value_of(path):
    """Return the value that a script of the site sets: a single string with 15 bits per letter."""
    text = json.loads(SCRIPT.fullmatch(path.read_bytes().decode("utf-16"))[1], strict=False)
    bits = "".join(f"{ord(letter):015b}" for letter in text[1:])
    content = bytes(int(bits[start : start + 8], 2) for start in range(0, len(bits) - ord(text[0]), 8))
    return json.loads(gzip.decompress(content))
