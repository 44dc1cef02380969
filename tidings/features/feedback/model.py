"""Feedback forms, their versions, whom they were sent to and what came back. Values only."""

from datetime import datetime
from enum import StrEnum
from uuid import UUID

import msgspec

from tidings.platforms.content import Question
from tidings.platforms.form_labels import DEFAULT_LANGUAGE, form_labels

from .forms.states import State

FormKey = tuple[UUID, str]  # account, form
VersionKey = tuple[UUID, str, int]
SendKey = tuple[UUID, UUID]  # account, send
PersonKey = tuple[UUID, str, str]  # account, form, phone


class Form(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a version says. It never changes: a change makes another version."""

    title: str
    questions: tuple[Question, ...]
    language: str = DEFAULT_LANGUAGE
    text: str = ""  # of the message that brings it; "": the title
    button: str = ""  # that opens it; "": a word of ours in its language

    @property
    def message(self) -> str:
        return self.text or self.title

    @property
    def opens(self) -> str:
        return self.button or form_labels(self.language).open


class Version(msgspec.Struct, frozen=True):
    account_id: UUID
    form_id: str
    version: int
    state: State
    form: Form
    created_at: datetime

    @property
    def key(self) -> VersionKey:
        return (self.account_id, self.form_id, self.version)


class Stage(StrEnum):
    """How far the platform knows a version, in one business account."""

    WANTED = "wanted"
    DRAFT = "draft"  # a flow without content
    FILLED = "filled"
    PUBLISHED = "published"
    OFFERED = "offered"  # and so is its template: whether it may be sent, the platform says


class Flow(msgspec.Struct):
    """A version at the platform, in one business account."""

    account_id: UUID
    form_id: str
    version: int
    waba_id: str
    flow_id: str | None = None
    stage: Stage = Stage.WANTED
    problem: str | None = None

    @property
    def key(self) -> VersionKey:
        return (self.account_id, self.form_id, self.version)


class Send(msgspec.Struct):
    """A form that went to a person, or is on its way."""

    account_id: UUID
    id: UUID
    form_id: str
    version: int
    phone: str
    message_id: UUID
    created_at: datetime
    freed: bool = False
    answered_at: datetime | None = None

    @property
    def key(self) -> SendKey:
        return (self.account_id, self.id)

    @property
    def person(self) -> PersonKey:
        return (self.account_id, self.form_id, self.phone)

    @property
    def of(self) -> VersionKey:
        return (self.account_id, self.form_id, self.version)


Value = int | str | list[str]


class Answer(msgspec.Struct, frozen=True):
    """What was said to one question. `value` None: nothing, or nothing that can be read."""

    question: Question
    value: Value | None
