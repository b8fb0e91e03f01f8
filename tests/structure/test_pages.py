"""One way for values into pages: templates escape, one function writes JSON, and scripts are files or have a hash."""

import ast
import re

from pipeline.base.paths import ROOT
from pipeline.base.text.html_text import json_in_html

TEMPLATES = sorted((ROOT / "pipeline").rglob("*.html"))
# Values that are markup before they reach their template: documents made elsewhere, and a line break.
IS_MARKUP = {"body", '"<br>"'}
WRITES_PAGES = re.compile(r"<script|<html|jinja2|markupsafe|\.html\b")
WRITES_JSON_FILES = {"publishing/croissant.py": 1, "site/pages/downloads.py": 1, "site/pages/plan.py": 1,
    "tools/quotes.py": 1,  # speaks with its child process
}  # fmt: skip


def test_templates_let_nothing_through_as_it_is():
    for file in TEMPLATES:
        text = file.read_text()
        assert {found[1] for found in re.finditer(r'([\w.]+|"<br>") *\| *safe\b', text)} <= IS_MARKUP, file
        assert text.count("safe") >= len(re.findall(r"\| *safe\b", text))
        assert not re.search(r"tojson|autoescape", text), file
        scripts = re.findall(r"<script\b([^>]*)>", text)
        assert all(re.fullmatch(r' src="[^"]+"( defer)?| type="application/ld\+json"', script) for script in scripts), (
            file
        )
        assert not re.search(r"<[^>]*\son\w+=|javascript:", text), file


def test_one_function_writes_json_into_pages():
    written = {}
    for file in sorted((ROOT / "pipeline").rglob("*.py")):
        text = file.read_text()
        number = sum(
            isinstance(node, ast.Attribute) and node.attr == "dumps" and getattr(node.value, "id", "") == "json"
            for node in ast.walk(ast.parse(text))
        )
        if number and (WRITES_PAGES.search(text)):
            written[file.relative_to(ROOT / "pipeline").as_posix()] = number
    assert written == WRITES_JSON_FILES


def test_scripts_make_no_code_of_text():
    for file in (ROOT / "pipeline/site/assets").glob("*.js"):
        assert not re.search(r"\beval\(|new Function|document\.write", file.read_text()), file


def test_json_in_a_page_ends_no_script():
    written = json_in_html({"</script>": "<!-- & \u2028\u2029"})
    assert not set("<>&\u2028\u2029") & set(written)
