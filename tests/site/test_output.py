"""Building a site replaces only an empty folder or an earlier site."""

import pytest

from pipeline.site.build import OutputError, build, check_output


@pytest.mark.parametrize("kind", ["precious", "file", "link"])
def test_what_is_no_site_stays(tmp_path, kind):
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious/thesis.txt").write_text("words")
    (tmp_path / "file").write_text("words")
    (tmp_path / "link").symlink_to("precious")
    with pytest.raises(OutputError, match=f"^{tmp_path}/{kind}: .*; name another (folder|one)$"):
        build(tmp_path / kind)
    assert (tmp_path / "precious/thesis.txt").read_text() == "words"
    assert (tmp_path / "link").is_symlink()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "link", "precious"]


def test_a_site_an_empty_folder_and_a_free_name_are_taken(tmp_path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "site/assets").mkdir(parents=True)
    (tmp_path / "site/assets/site.css").write_text("")
    for name in ("empty", "site", "new"):
        check_output(tmp_path / name)
