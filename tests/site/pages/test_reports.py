"""A report's arguments determine its content."""

import re
from inspect import signature
from types import ModuleType

from pipeline import stages
from pipeline.base.paths import ROOT
from pipeline.publishing import report_views
from pipeline.site.ledger import opened
from pipeline.site.page import FOLDER
from pipeline.site.pages import reports

SHOWN = re.compile(r'\btable\("(\w+)"\)')


def test_a_page_shows_tables_of_the_stages_views_of_them_and_values_of_the_release(published_database):
    with opened(ROOT) as ledger:
        release = reports.release(ledger).keys()
    tables = {name for names in stages.TABLES.values() for name in names} | report_views.statements().keys()
    for name, module in reports.MODULES.items():
        assert {*signature(module.page).parameters} <= tables | release, name
    shown = [name for path in (FOLDER / "templates").rglob("*.html") for name in SHOWN.findall(path.read_text())]
    assert {*shown} <= tables


def test_a_page_is_given_what_its_arguments_name(monkeypatch):
    page = ModuleType("pages.first")
    page.page = lambda version, errata: {"text": f"{version} {errata}"}
    monkeypatch.setattr(reports, "MODULES", {"first": page})
    assert reports.shown("first", lambda table: [table], {"version": "2026"}) == {"text": "2026 ['errata']"}
