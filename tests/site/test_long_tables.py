"""Long tables on pages: the rows after the first ones are loaded later."""

import re

import pytest

from pipeline.site import page
from pipeline.site.page import NOWHERE, Site
from tests.site.builders import value_of

HEAD = '<table class="models" id="models" data-all="latest/estimates.csv">\n<thead><tr><th>Model</th><th>FLOP</th></tr></thead>\n<tbody>\n'


def written(folder, number):
    """Return the page of a table with so many rows, from its own template."""
    site = Site(folder, NOWHERE, "1")
    rows = "".join(f'<tr id="m{n}"><th>m{n}</th><td>{n}</td></tr>\n' for n in range(number))
    site._environment.loader = page.jinja2.DictLoader(
        {"t.html": f"<p>before</p>{HEAD}{rows}</tbody></table><p>after</p>"}
    )
    site.page("index.html", "t.html")
    return (folder / "index.html").read_text()


def test_the_page_and_the_script_have_every_row_once_in_its_order(tmp_path):
    text = written(tmp_path, 1234)
    shown = re.findall(r'<tr id="(\w+)"', text)
    rest = value_of(tmp_path / "data/rows/index-models.js")
    assert shown + re.findall(r'<tr id="(\w+)"', rest) == [f"m{n}" for n in range(1234)]
    assert len(shown) == 50
    assert "The first 50 of 1,234 rows." in text
    assert '<a href="latest/estimates.csv">' in text
    assert text.startswith("<p>before</p>")
    assert text.endswith("</tfoot></table><p>after</p>")


@pytest.mark.parametrize("number", [0, 1, 100])
def test_a_short_table_stays_whole(tmp_path, number):
    text = written(tmp_path, number)
    assert text.count('<tr id="') == number
    assert "tfoot" not in text
    assert not (tmp_path / "data").exists()
