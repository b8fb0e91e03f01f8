"""A page's arguments determine its content."""

from types import ModuleType

from pipeline import stages
from pipeline.base.paths import ROOT
from pipeline.publishing import report_views
from pipeline.site.ledger import opened
from pipeline.site.pages import reports
from pipeline.site.report import registry


def test_a_page_shows_tables_of_the_stages_views_of_them_and_values_of_the_release(published_database):
    with opened(ROOT) as ledger:
        release = reports.release(ledger).keys()
    tables = {name for names in stages.TABLES.values() for name in names}
    for page in registry.MODULES.values():
        assert {*registry.arguments(page)} <= tables | report_views.statements().keys() | release, page


def test_a_page_is_given_what_its_arguments_name(monkeypatch):
    page = ModuleType("pages.first")
    page.page = lambda version, errata: {"text": f"{version} {errata}"}
    monkeypatch.setattr(registry, "MODULES", {"first": page})
    assert registry.shown("first", lambda table: [table], {"version": "2026"}) == {"text": "2026 ['errata']"}
