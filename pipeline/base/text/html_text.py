"""Make parts of every page: JSON that browsers never read as markup, and a policy for the page's scripts only."""

import base64
import hashlib
import json
from typing import Any

ESCAPED = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}
STYLE_AND_REST = (
    "style-src 'self' file: 'unsafe-inline'; img-src 'self' file: data: blob:; form-action 'none'; base-uri"
)
# For pages with separate scripts. If a page is opened from disk, its scripts come from file:, because it has no origin.
# DuckDB needs WebAssembly and a worker, and fetches the database.
OF_FILES = (
    "default-src 'none'; script-src 'self' file: 'wasm-unsafe-eval'; worker-src blob:; connect-src 'self';"
    f" font-src 'self' file:; {STYLE_AND_REST} 'self'"
)


def json_in_html(value: Any) -> str:
    """Return the JSON text of a value for a script or a page. Every such value goes through this function.

    >>> json_in_html({"name": "</script><b>&"})
    '{"name":"\\\\u003c/script\\\\u003e\\\\u003cb\\\\u003e\\\\u0026"}'
    """
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).translate(ESCAPED)


def policy(*scripts: str) -> str:
    """Return the policy of a single-file page, which lets only these scripts run.

    >>> policy("")[:80]
    "default-src 'none'; script-src 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSu"
    """
    digests = (base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts)
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests) or "'none'"
    return f"default-src 'none'; script-src {allowed}; {STYLE_AND_REST} 'none'"
