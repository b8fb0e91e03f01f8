"""Organizations named in one line of a record."""

import pytest

from schemas.organizations import maker_names

KNOWN = {name.lower() for name in (
    "Google", "Stanford University", "Singapore University of Technology and Design", "LMSYS (UC Berkeley, CMU)", "Reed College",
)}  # fmt: skip


@pytest.mark.parametrize(
    ("written", "names"),
    [
        ("Google", ["Google"]),
        ("Stanford University, Google", ["Stanford University", "Google"]),
        ("Google and Stanford University", ["Google", "Stanford University"]),
        ("Stanford University and others", ["Stanford University"]),
        ("Singapore University of Technology and Design", ["Singapore University of Technology and Design"]),
        ("Singapore University of Technology and Design and Reed College", ["Singapore University of Technology and Design", "Reed College"]),
        ("Reed College and Singapore University of Technology and Design", ["Reed College", "Singapore University of Technology and Design"]),
        ("LMSYS (UC Berkeley, CMU), Google, and Reed College", ["LMSYS (UC Berkeley, CMU)", "Google", "Reed College"]),
        ("LMSYS (UC Berkeley, MIT)", ["LMSYS (UC Berkeley, MIT)"]),
        ("Nobody, Google", ["Nobody", "Google"]),
        ("GOOGLE", ["GOOGLE"]),
    ],
)  # fmt: skip
def test_each_organization_is_found(written, names):
    assert maker_names(written, KNOWN) == names
