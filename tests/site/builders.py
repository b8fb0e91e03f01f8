"""Helpers that read the site's scripts."""

import gzip
import json
import re

SCRIPT = re.compile(r'\(\(self\.FLOP \?\?= \{\}\)\.values \?\?= \{\}\)\.\w+ = ("(?:[^"\\\n\r]|\\["\\nr])*");\n')


def value_of(path):
    """Return the value that a script of the site sets: a single string of 7-bit characters."""
    text = json.loads(SCRIPT.fullmatch(path.read_bytes().decode("ascii"))[1], strict=False)
    bits = "".join(f"{ord(letter):07b}" for letter in text)
    content = bytes(int(bits[start : start + 8], 2) for start in range(0, len(bits) - 7, 8))
    return json.loads(gzip.decompress(content))
