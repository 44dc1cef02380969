"""The life of a form's version, what the file's flags say of it, and how forms are named."""

from datetime import UTC, datetime
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings.features.feedback import rules
from tidings.features.feedback.forms import names
from tidings.features.feedback.forms.declare import Changes, DeclaredForm, advance, compare
from tidings.features.feedback.forms.states import (
    STAGES,
    TRANSITIONS,
    State,
    Trigger,
    after,
    declared,
    may_be_sent,
    path,
    replaces,
)
from tidings.features.feedback.model import Form, Version
from tidings.platforms.content import Question

ACCOUNT = UUID(int=7)
NOW = datetime(2026, 11, 15, tzinfo=UTC)
QUESTION = Question("q1", "rating", "How was it?", required=True)
FORM = Form("Your visit", (QUESTION,))
states = st.sampled_from(list(State))


def test_the_table_of_moves() -> None:
    assert {
        (state.value, trigger.value): to.value for (state, trigger), to in TRANSITIONS.items()
    } == {
        ("draft", "submit"): "submitted",
        ("submitted", "approve"): "approved",
        ("approved", "publish"): "published",
        ("submitted", "withdraw"): "draft",
        ("approved", "withdraw"): "submitted",
        ("published", "withdraw"): "approved",
        ("draft", "replace"): "superseded",
        ("submitted", "replace"): "superseded",
        ("approved", "replace"): "superseded",
        ("published", "replace"): "superseded",
    }


@given(st.sampled_from(list(Trigger)))
def test_superseded_is_the_end(trigger: Trigger) -> None:
    assert after(State.SUPERSEDED, trigger) is None


@given(states, states)
def test_a_path_leads_where_it_should(state: State, target: State) -> None:
    ends = advance(state, target)
    assert ends is (State.SUPERSEDED if state is State.SUPERSEDED else target)
    assert len(path(state, target)) < len(STAGES)


@pytest.mark.parametrize(
    ("approved", "published", "state"),
    [
        (False, False, State.DRAFT),
        (False, True, State.SUBMITTED),  # to publish what nobody has approved is to submit it
        (True, False, State.APPROVED),
        (True, True, State.PUBLISHED),
    ],
)
def test_what_the_flags_of_the_file_say(approved: bool, published: bool, state: State) -> None:
    assert declared(approved=approved, published=published) is state


def test_what_may_be_sent_where() -> None:
    assert [s.value for s in State if may_be_sent(s, sandbox=True)] == ["approved", "published"]
    assert [s.value for s in State if may_be_sent(s, sandbox=False)] == ["published"]


@given(states, states)
def test_a_newer_version_replaces_what_has_come_no_further(newer: State, older: State) -> None:
    both = {newer, older} <= set(STAGES)
    assert replaces(newer, older) is (both and STAGES.index(older) <= STAGES.index(newer))


def version(number: int, state: State, title: str = "Your visit") -> Version:
    return Version(ACCOUNT, "visit", number, state, Form(title, (QUESTION,)), NOW)


def changes_of(wanted: DeclaredForm, *versions: Version) -> Changes:
    changes = Changes()
    compare(ACCOUNT, wanted, list(versions), NOW, changes)
    return changes


def test_a_new_form_begins_with_version_one() -> None:
    changes = changes_of(DeclaredForm("visit", FORM, State.PUBLISHED))
    assert [(one.version, one.state) for one in changes.new] == [(1, State.PUBLISHED)]
    assert changes.state_changes == []


def test_the_same_form_again_changes_nothing() -> None:
    one = version(1, State.PUBLISHED)
    assert changes_of(DeclaredForm("visit", FORM, State.PUBLISHED), one) == Changes()


def test_flags_move_the_latest_version() -> None:
    one = version(1, State.DRAFT)
    changes = changes_of(DeclaredForm("visit", FORM, State.PUBLISHED), one)
    assert (changes.new, changes.state_changes) == ([], [(one.key, State.PUBLISHED)])
    withdrawn = changes_of(DeclaredForm("visit", FORM, State.DRAFT), version(1, State.PUBLISHED))
    assert withdrawn.state_changes == [(one.key, State.DRAFT)]


def test_a_changed_form_is_a_new_version_and_replaces_what_has_come_no_further() -> None:
    old, draft = version(1, State.PUBLISHED, "Old"), version(2, State.DRAFT, "Draft")
    wanted = DeclaredForm("visit", FORM, State.APPROVED)
    changes = changes_of(wanted, old, draft)
    assert [(one.version, one.state) for one in changes.new] == [(3, State.APPROVED)]
    assert changes.state_changes == [(draft.key, State.SUPERSEDED)]
    published = changes_of(DeclaredForm("visit", FORM, State.PUBLISHED), old, draft)
    assert published.state_changes == [(old.key, State.SUPERSEDED), (draft.key, State.SUPERSEDED)]


def test_publishing_the_latest_replaces_the_one_before() -> None:
    old, new = version(1, State.PUBLISHED, "Old"), version(2, State.APPROVED)
    changes = changes_of(DeclaredForm("visit", FORM, State.PUBLISHED), old, new)
    assert changes.state_changes == [(new.key, State.PUBLISHED), (old.key, State.SUPERSEDED)]


def test_the_latest_that_may_be_sent_goes_whichever_version_is_named() -> None:
    of_form = [
        version(1, State.SUPERSEDED), version(2, State.PUBLISHED), version(3, State.APPROVED),
        version(4, State.DRAFT),
    ]  # fmt: skip
    for asked in ("visit", "visit@1", "visit@2", "visit@4"):
        assert rules.require_version(asked, of_form, sandbox=False).version == 2
        assert rules.require_version(asked, of_form, sandbox=True).version == 3


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("visit", ("visit", None)),
        ("visit@2", ("visit", 2)),
        ("visit@12", ("visit", 12)),
        ("visit@0", ("visit@0", None)),
        ("visit@02", ("visit@02", None)),
        ("visit@x", ("visit@x", None)),
        ("visit@", ("visit@", None)),
        ("visit@9999999999", ("visit@9999999999", None)),
        ("@1", ("", 1)),
    ],
)
def test_a_version_is_named_with_an_at(text: str, parts: tuple[str, int | None]) -> None:
    assert names.split(text) == parts


@given(st.text(min_size=1, max_size=64), st.integers(1, 10**6))
def test_names_at_the_platform_are_ours_alone_and_well_formed(form_id: str, number: int) -> None:
    name = names.platform_name((ACCOUNT, form_id, number))
    assert set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789_") and len(name) <= 200
    assert name != names.platform_name((UUID(int=8), form_id, number))
    assert name != names.platform_name((ACCOUNT, form_id, number + 1))
    assert name != names.platform_name((ACCOUNT, form_id + "x", number))


@given(st.uuids())
def test_a_send_is_known_by_its_token(send_id: UUID) -> None:
    assert names.parse_send_ref(names.send_ref(send_id)) == send_id
    assert names.parse_send_ref(send_id.hex) is None
