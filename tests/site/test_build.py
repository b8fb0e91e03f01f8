"""The miniature's site: files written, links with targets, names that cannot run as code, two identical builds."""

import json
import re
import shutil
import threading
from html.parser import HTMLParser
from urllib.parse import parse_qs, unquote, urldefrag, urlsplit

import duckdb
import pytest

from pipeline.base.paths import alone_in
from pipeline.publishing import database
from pipeline.site.build import PAGES, build, data_docs
from pipeline.site.page import Place


def files(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


class Links(HTMLParser):
    """Addresses, ids and names of elements in a page."""

    def __init__(self):
        super().__init__()
        self.links, self.ids, self.tags = [], set(), []

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.tags.append((tag, attributes))
        self.ids |= {attributes["id"]} if "id" in attributes else set()
        self.links += [attributes[name] for name in ("href", "src") if attributes.get(name)]


def parsed(text):
    page = Links()
    page.feed(text)
    return page


@pytest.fixture
def site(miniature_site):
    return miniature_site


def changed(miniature, folder, *statements):
    """Copy the miniature's published files, change them by SQL, and build the site."""
    published = folder / "data" / "published"
    shutil.copytree(miniature / "data" / "published", published)
    with duckdb.connect(str(published / "ledger.duckdb")) as ledger:
        ledger.execute(database.SEARCHED)
        for statement in statements:
            ledger.execute(statement)
    database.vouch(published / "ledger.duckdb")
    build(folder / "site", root=folder, parts=PAGES)
    return folder / "site"


def test_a_build_waits_for_another_and_leaves_its_files_alone(site, miniature, tmp_path):
    of_another = tmp_path / "again.new" / "index.html"
    with alone_in(tmp_path):
        of_another.parent.mkdir()
        of_another.write_text("of another build")
        second = threading.Thread(target=build, args=(tmp_path / "again",), kwargs={"root": miniature, "parts": PAGES})
        second.start()
        second.join(0.5)
        assert second.is_alive()
        assert of_another.read_text() == "of another build"
    second.join()
    assert files(tmp_path / "again") == files(site)
    assert not of_another.parent.exists()


def test_every_model_and_chip_has_a_page_and_every_model_json(site, miniature):
    with duckdb.connect(str(miniature / "data/published/ledger.duckdb"), read_only=True) as ledger:
        models = [name for (name,) in ledger.execute("select model_id from estimates").fetchall()]
        chips = [name for (name,) in ledger.execute("select hardware_id from hardware").fetchall()]
    assert len(models) > 1
    for name in models:
        assert json.loads((site / f"models/{name}.json").read_text())["model_id"] == name
        assert (site / f"models/{name}.html").is_file()
    assert all((site / f"chips/{name}.html").is_file() for name in chips)
    assert [model["model_id"] for model in json.loads((site / "index.json").read_text())["models"]] == models


def test_links_within_the_site_lead_to_a_file_and_a_place_in_it(site):
    pages = {path: parsed(path.read_text()) for path in site.rglob("*.html")}
    for path, page in pages.items():
        for link in page.links:
            if re.match(r"(https?|data|mailto):", link):
                continue
            address, anchor = urldefrag(link.split("?")[0])
            target = (path.parent / unquote(address)).resolve() if address else path
            assert target.is_file(), f"{path.name}: {link}"
            if anchor:
                assert anchor in pages[target].ids, f"{path.name}: {link}"


def test_no_page_loads_anything_from_elsewhere(site):
    for path in site.rglob("*.html"):
        for tag, attributes in parsed(path.read_text()).tags:
            if tag in ("script", "img", "link", "iframe"):
                address = attributes.get("src") or attributes.get("href") or ""
                is_canonical = tag == "link" and attributes.get("rel") == "canonical"
                assert is_canonical or not re.match(r"(https?:)?//", address), f"{path.name}: {address}"


def test_a_page_with_controls_says_that_they_need_scripts(site):
    with_controls = [text for path in site.glob("*.html") if 'class="tools" data-needs' in (text := path.read_text())]
    assert len(with_controls) > 5
    assert all(re.search("need scripts|needs scripts|without scripts", text) for text in with_controls)


def test_no_line_breaks_before_a_per_cent_sign(site):
    for path in site.rglob("*.html"):
        assert not re.search(r"\d %", path.read_text()), path


def test_pictures_to_take_away_say_their_source(site):
    drawn = (site / "latest/compute_over_time.svg").read_text()
    assert re.search(r"FLOP Ledger [^<]+, CC BY 4\.0", drawn)
    assert ">Training compute of machine-learning models<" in drawn


@pytest.mark.parametrize("is_kept", [False, True])
def test_every_footer_names_the_release_or_says_that_it_is_none(site, miniature, tmp_path, is_kept):
    published = miniature / "data/published"
    version = json.loads((published / "datapackage.json").read_text())["version"]
    if is_kept:
        (tmp_path / "data/releases" / version).mkdir(parents=True)
        shutil.copy(published / "estimates.csv", tmp_path / "data/releases" / version)
    pages = changed(miniature, tmp_path) if is_kept else site
    words = version if is_kept else f"{version}+changed (later changes, not a release)"
    for path in pages.rglob("*.html"):
        footer = path.read_text().partition("<footer ")[2]
        assert f"<p>FLOP Ledger, version {words}. FLOP" in footer, path
    assert f"<code>{version}/estimates.csv</code>" in (pages / "downloads.html").read_text()


WITHOUT = {
    "gpu_time": ["update estimates set gpu_time_flop = null, gpu_time_informed_flop = null, method_ratio = null, is_disputed = false, dispute_cause = null", "delete from gpu_time_estimates", "delete from dispute_causes"],
    "operation_count": ["update estimates set operation_count_flop = null, method_ratio = null", "delete from operation_estimates"],
    "estimates of anything": ["update estimates set training_flop = null, training_flop_low = null, training_flop_high = null, operation_count_flop = null, gpu_time_flop = null, gpu_time_informed_flop = null, reported_flop = null, method_ratio = null, headline_method = null"],
    "all models but one": ["delete from {table} where model_id not in (select min(model_id) from estimates)"],
}  # fmt: skip


@pytest.mark.parametrize("what", WITHOUT)
def test_a_ledger_lacks_something_and_its_site_is_built(what, miniature, tmp_path):
    with duckdb.connect(str(miniature / "data/published/ledger.duckdb"), read_only=True) as ledger:
        sql = "select distinct c.table_name from duckdb_columns() c join duckdb_tables() using (table_name) where column_name = 'model_id'"
        of_models = [name for (name,) in ledger.execute(f"{sql} order by c.table_name").fetchall()]
    statements = (statement.format(table=table) for statement in WITHOUT[what] for table in of_models)
    pages = changed(miniature, tmp_path, *dict.fromkeys(statements))
    assert len(parsed((pages / "index.html").read_text()).ids) > 3


@pytest.fixture(scope="module")
def placed_site(miniature, tmp_path_factory):
    """Build the site with addresses of the site and of the repository, and with data docs."""
    folder = tmp_path_factory.mktemp("placed")
    place = Place("https://example.org/ledger", "https://example.org/code")
    build(folder / "site", place, miniature, (data_docs, lambda site, _: setattr(site, "font_face", "/**/"), *PAGES))
    return folder


def test_downloads_lead_to_the_data_docs_of_great_expectations(site, placed_site):
    link = 'href="data_docs/index.html"'
    assert link in (placed_site / "site/downloads.html").read_text()
    assert "expectations/estimates.html" in (placed_site / "site/data_docs/index.html").read_text()
    assert link not in (site / "downloads.html").read_text()


def test_a_given_address_stands_in_the_pages(placed_site):
    first, *_ = sorted((placed_site / "site/models").glob("*.html"))
    text = first.read_text()
    assert f'href="https://example.org/ledger/models/{first.name}"' in text
    assert 'rel="preload" as="font"' in text
    assert re.search(
        rf"-{first.stem},\n  author = [^@]*  url = {{https://example.org/ledger/models/{first.name}}}", text
    )
    account = json.loads(first.with_suffix(".json").read_text())
    forms = [
        parse_qs(urlsplit(link).query, strict_parsing=True)
        for link in parsed(text).links
        if link.startswith("https://example.org/code/issues/new?")
    ]
    paths = [fact["path"] for facts in account["facts"].values() for fact in facts]
    assert [form["path"] for form in forms] == [["training_flop"]]
    assert [attributes["data-path"] for _, attributes in parsed(text).tags if "data-path" in attributes] == paths
    assert all(form["record"] == [first.stem] and form["template"] == ["correction.yaml"] for form in forms)
    assert all(account["cite"]["version"] in form["why"][0] for form in forms)
