"""A page's arguments say what it shows."""

from types import ModuleType

from pipeline import stages
from pipeline.site.pages import reports
from pipeline.site.report import registry


def test_a_page_shows_tables_of_the_stages_and_values_of_the_release():
    tables = {name for names in stages.TABLES.values() for name in names}
    for page in registry.MODULES.values():
        assert {*registry.arguments(page)} <= tables | reports.RELEASE, page


def test_each_page_is_given_what_its_arguments_name(monkeypatch):
    first, second = ModuleType("pages.first"), ModuleType("pages.second")
    first.page = lambda version, errata: f"{version} {errata}"
    second.page = lambda errata: f"{errata}"
    monkeypatch.setattr(registry, "MODULES", {"first": first, "second": second})
    assert registry.drawn(lambda table: [table], {"version": "2026"}) == {
        "first": "2026 ['errata']",
        "second": "['errata']",
    }
