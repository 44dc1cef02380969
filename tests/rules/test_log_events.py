"""docs/operating/logs.md lists what the code logs: every event with its levels and fields."""

import re
from collections.abc import Iterator

import pytest

from tests.support.house_rules import ROOT
from tests.support.log_events import LEVELS, LogEvent, find_events

EVENTS = find_events()
NAME = re.compile(r"[a-z]+\.([a-z]+_)*([a-z]+)")
IRREGULAR = {"lost", "paid", "taken", "forgotten", "hung", "set"}
ROW = re.compile(r"^\|( `[a-z]+\.[^|]*)\|([^|]*)\|([^|]*)\|", re.MULTILINE)


def quoted(cell: str) -> list[str]:
    return re.findall("`([^`]+)`", cell)


def documented() -> Iterator[tuple[str, set[str], set[str]]]:
    """Names that share a row share its levels, in order if there are as many, and its fields."""
    page = (ROOT / "docs/operating/logs.md").read_text()
    for row in ROW.finditer(page):
        names, levels = quoted(row[1]), row[2].strip().split(", ")
        for index, name in enumerate(names):
            own = [levels[index]] if len(names) == len(levels) else levels
            yield name, set(own), set(quoted(row[3]))


DOCUMENTED = list(documented())


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.place)
def test_an_event_is_named_as_a_noun_and_what_became_of_it(event: LogEvent) -> None:
    assert event.name is not None, "name the event in the call, so that it can be found"
    found = NAME.fullmatch(event.name)
    assert found, event.name
    assert found[2].endswith("ed") or found[2] in IRREGULAR, f"{event.name}: noun.verb_past"
    assert "**" not in event.fields, "name the fields, so that they can be documented"


def test_the_page_lists_every_event_once() -> None:
    assert sorted(name for name, _, _ in DOCUMENTED) == sorted({event.name for event in EVENTS})


@pytest.mark.parametrize("row", DOCUMENTED, ids=lambda row: row[0])
def test_the_page_says_its_levels_and_fields(row: tuple[str, set[str], set[str]]) -> None:
    name, levels, fields = row
    written = [event for event in EVENTS if event.name == name]
    assert levels <= LEVELS
    assert set().union(*(event.levels for event in written)) == levels
    assert set().union(*(event.fields for event in written)) == fields


def test_other_pages_name_events_that_there_are() -> None:
    names = {event.name for event in EVENTS}
    for page in sorted((ROOT / "docs/operating").glob("*.md")):
        for name in re.findall(r"`([a-z]+\.[a-z_]+)`", page.read_text()):
            word = re.split(r"[._]", name)[-1]
            if word.endswith("ed") or word in IRREGULAR:  # not a file or a span
                assert name in names, f"{page.name}: {name}"
