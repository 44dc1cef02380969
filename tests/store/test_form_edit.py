"""Building a form step by step: drafts, approval, publishing, and what the file leaves alone."""

from typing import Any

import msgspec
import pytest

from tests.support.forms import QUESTIONS, ask, fill, form_toml, sent
from tests.support.service import TestAccount, TestService, account_toml
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account
from tidings.features.audit.record import Actor
from tidings.features.feedback.forms import edit, lookup
from tidings.features.feedback.forms.states import State
from tidings.features.feedback.model import Form, Version
from tidings.platforms.content import Question

DANA = Actor("person", "dana@example.com", "127.0.0.1")
RATING = Question(id="q1", type="rating", text="How was it?", required=True)
FORM = Form(title="Your visit", questions=(RATING,))


class Builder:
    """Somebody who builds forms of one account."""

    def __init__(self, account: TestAccount) -> None:
        self.account = account

    def do(self, verb: Any, *args: Any) -> Version:
        async def work(tx: Tx) -> Version:
            version: Version = await verb(tx, await self._owner(tx), DANA, *args)
            return version

        return self.account.service.transact(work)

    async def _owner(self, tx: Tx) -> Account:
        return (await load_accounts(tx, [self.account.id]))[self.account.id]

    def states(self, form_id: str = "your-visit") -> list[tuple[int, str]]:
        found = self.account.service.transact(
            lambda tx: lookup.load_all_versions(tx, self.account.id, form_id)
        )
        return [(one.version, one.state.value) for one in found]

    def actions(self) -> list[str]:
        rows = self.account.service.sql(
            """
            SELECT action FROM audit_log WHERE account_id = $1 AND starts_with(action, 'form.')
             ORDER BY id
            """,
            self.account.id,
        )
        return [row["action"] for row in rows]


@pytest.fixture
def builder(service: TestService) -> Builder:
    return Builder(service.account())


def test_a_form_goes_from_draft_to_sending(builder: Builder) -> None:
    made = builder.do(edit.create, FORM)
    assert (made.form_id, made.version, made.state) == ("your-visit", 1, State.DRAFT)
    assert ask(builder.account, form="your-visit").status_code == 409
    builder.do(edit.release, "your-visit")
    assert [
        one.version.form_id
        for one in builder.account.service.transact(lookup.load_submitted)
        if one.account.id == builder.account.id
    ] == ["your-visit"]
    assert ask(builder.account, form="your-visit").status_code == 409
    assert builder.do(edit.approve, "your-visit", 1).state is State.APPROVED
    sent(builder.account, form="your-visit")
    assert builder.actions() == ["form.created", "form.submitted", "form.approved"]


def test_a_draft_is_rewritten_and_what_was_put_forward_is_not(builder: Builder) -> None:
    builder.do(edit.create, FORM)
    other = msgspec.structs.replace(FORM, title="Another title")
    assert builder.do(edit.save_draft, "your-visit", other).version == 1
    assert builder.do(edit.save_draft, "your-visit", other).version == 1
    builder.do(edit.release, "your-visit")
    assert builder.do(edit.save_draft, "your-visit", FORM).version == 2
    assert builder.states() == [(1, "submitted"), (2, "draft")]
    builder.do(edit.release, "your-visit")
    assert builder.states() == [(1, "superseded"), (2, "submitted")]
    assert builder.actions() == [
        "form.created", "form.saved", "form.submitted", "form.saved", "form.submitted",
    ]  # fmt: skip


def test_a_draft_with_answers_keeps_its_content(service: TestService) -> None:
    name = "answered-draft"
    account = service.account(form_toml("your-visit"), name=name)
    sent(account, form="your-visit")
    account.advance(seconds=5)
    fill(account)
    withdrawn = form_toml("your-visit", approved=False, published=False)
    service.apply(account_toml(withdrawn, name=name))
    builder = Builder(account)
    assert builder.states() == [(1, "draft")]
    assert builder.do(edit.save_draft, "your-visit", FORM).version == 2


def test_an_operator_sends_a_form_back_with_a_reason(builder: Builder) -> None:
    builder.do(edit.create, FORM)
    builder.do(edit.release, "your-visit")
    with pytest.raises(ApiError, match="what has to change"):
        builder.do(edit.send_back, "your-visit", 1, "  ")
    back = builder.do(edit.send_back, "your-visit", 1, "Ask for no health data")
    assert (back.state, back.remark) == (State.DRAFT, "Ask for no health data")
    with pytest.raises(ApiError, match="does not wait for approval"):
        builder.do(edit.approve, "your-visit", 1)
    with pytest.raises(ApiError, match="no version 2"):
        builder.do(edit.approve, "your-visit", 2)
    other = msgspec.structs.replace(FORM, title="Better")
    assert builder.do(edit.save_draft, "your-visit", other).remark is None


def test_a_live_form_is_published_once_it_is_approved(service: TestService) -> None:
    without = "# neither accounts.numbers nor accounts.templates: the platform is not asked"
    builder = Builder(service.account(without, environment="live"))
    builder.do(edit.create, FORM)
    assert builder.do(edit.release, "your-visit").state is State.SUBMITTED
    assert builder.do(edit.approve, "your-visit", 1).state is State.PUBLISHED
    assert builder.do(edit.release, "your-visit").state is State.PUBLISHED


def test_ids_come_from_titles_and_are_never_shared(builder: Builder) -> None:
    titles = ("Your visit!", "Your visit", "הביקור שלך", "---")
    made = [builder.do(edit.create, msgspec.structs.replace(FORM, title=one)) for one in titles]
    assert [one.form_id for one in made] == ["your-visit", "your-visit-2", "form", "form-2"]


def test_every_fault_of_a_form_is_named(builder: Builder) -> None:
    bad = replace_questions(Question(id="q1", type="single", text=" "))
    with pytest.raises(edit.InvalidForm) as refusal:
        builder.do(edit.create, bad)
    assert [field for field, _ in refusal.value.faults] == [
        "questions[0].text", "questions[0].options",
    ]  # fmt: skip
    with pytest.raises(edit.InvalidForm, match="at least one question"):
        builder.do(edit.create, replace_questions())
    with pytest.raises(ApiError, match="no form"):
        builder.do(edit.save_draft, "unknown", FORM)
    assert builder.actions() == []


def test_the_file_leaves_alone_what_was_changed_since(service: TestService) -> None:
    name = "changed-by-hand"
    unapproved = form_toml("your-visit", approved=False)
    builder = Builder(service.account(unapproved, name=name))
    builder.do(edit.save_draft, "your-visit", FORM)
    assert builder.states() == [(1, "submitted"), (2, "draft")]
    builder.do(edit.approve, "your-visit", 1)
    service.apply(account_toml(unapproved, name=name))  # the file as before
    assert builder.states() == [(1, "approved"), (2, "draft")]
    made = builder.do(edit.create, FORM)
    service.apply(account_toml(form_toml("your-visit", questions=QUESTIONS), name=name))
    assert builder.states() == [(1, "superseded"), (2, "superseded"), (3, "published")]
    assert builder.states(made.form_id) == [(1, "draft")]  # no file knows it


def replace_questions(*questions: Question) -> Form:
    return msgspec.structs.replace(FORM, questions=questions)
