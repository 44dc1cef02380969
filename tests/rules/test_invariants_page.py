"""docs/operating/invariants.md has a section for each invariant, and says what the code says."""

import re
from pathlib import Path

import pytest

from tidings.doctor import INVARIANTS
from tidings.doctor.model import PAGE, Invariant
from tidings.guide.markdown import headings_of

ROOT = Path(__file__).parent.parent.parent
TEXT = (ROOT / PAGE).read_text()
SECTIONS = dict(re.findall(r"^### (.+)\n\n((?:- .+\n)+)", TEXT, re.MULTILINE))
NAMED = re.compile(r"`(tests/[\w/]+\.py)`")


def test_each_invariant_has_its_section_and_each_section_its_invariant() -> None:
    assert list(SECTIONS) == re.findall(r"^### (.+)$", TEXT, re.MULTILINE)
    assert sorted(SECTIONS) == sorted(one.title for one in INVARIANTS)


@pytest.mark.parametrize("invariant", INVARIANTS, ids=lambda one: one.anchor)
def test_the_section_says_what_the_code_says(invariant: Invariant) -> None:
    said = SECTIONS[invariant.title]
    assert f"- **Says**: {invariant.says}.\n" in said
    by = f"yes, by *{invariant.mended_by}*" if invariant.mended_by else "no"
    assert f"- **Repaired**: {by}.\n" in said
    assert "- **Breaks**: " in said and "- **Do**: " in said


def test_addresses_lead_to_the_sections() -> None:
    ids = {heading.id for heading, _ in headings_of(TEXT)}
    assert {one.anchor for one in INVARIANTS} <= ids


def test_the_tests_that_hold_the_rest_are_there() -> None:
    named = NAMED.findall(TEXT)
    assert named and all((ROOT / path).exists() for path in named)
