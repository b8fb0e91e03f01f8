"""What every page has: JSON that no browser takes for markup, and the policy by which nothing but a page's own scripts runs."""

import base64
import hashlib
import json
from typing import Any

ESCAPED = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}
STYLE_AND_REST = (
    "style-src 'self' file: 'unsafe-inline'; img-src 'self' file: data: blob:; form-action 'none'; base-uri"
)
# Of pages that lie beside their scripts: from disk, where a page has no origin, those are of file:. DuckDB compiles WebAssembly in a worker.
OF_FILES = f"default-src 'none'; script-src 'self' file: 'wasm-unsafe-eval'; worker-src blob:; font-src 'self' file:; {STYLE_AND_REST} 'self'"


def json_in_html(value: Any) -> str:
    """JSON text of a value for a script or a page; the only way in which either gets one.

    >>> json_in_html({"name": "</script><b>&"})
    '{"name":"\\\\u003c/script\\\\u003e\\\\u003cb\\\\u003e\\\\u0026"}'
    """
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).translate(ESCAPED)


def policy(*scripts: str) -> str:
    """The policy of a page that is one file, in which these scripts run and no other.

    >>> policy("")[:80]
    "default-src 'none'; script-src 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSu"
    """
    digests = (base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts)
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests) or "'none'"
    return f"default-src 'none'; script-src {allowed}; {STYLE_AND_REST} 'none'"
