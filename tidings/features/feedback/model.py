"""Feedback forms, their versions, sends and answers. Pure."""

from datetime import datetime
from enum import StrEnum
from uuid import UUID

import msgspec

from tidings.platforms.content import Question
from tidings.platforms.form_labels import DEFAULT_LANGUAGE, form_labels

from .forms.states import State

FormKey = tuple[UUID, str]  # account, form
FormOrder = tuple[datetime, str]  # created at, form: the order of lists
VersionKey = tuple[UUID, str, int]
SendKey = tuple[UUID, UUID]  # account, send
PersonKey = tuple[UUID, str, str]  # account, form, phone


class Form(msgspec.Struct, frozen=True, omit_defaults=True):
    """The content of a version. Immutable: a change creates a new version."""

    title: str
    questions: tuple[Question, ...]
    language: str = DEFAULT_LANGUAGE
    text: str = ""  # of the message that carries it; "": the title
    button: str = ""  # label of the button that opens it; "": the default of its language

    @property
    def message(self) -> str:
        return self.text or self.title

    @property
    def button_label(self) -> str:
        return self.button or form_labels(self.language).open


class Version(msgspec.Struct, frozen=True):
    account_id: UUID
    form_id: str
    version: int
    state: State
    form: Form
    created_at: datetime
    remark: str | None = None  # why an operator sent it back

    @property
    def key(self) -> VersionKey:
        return (self.account_id, self.form_id, self.version)


class Stage(StrEnum):
    """The progress of creating a version at the platform, in one business account."""

    PENDING = "pending"
    DRAFT = "draft"  # a flow without content
    FILLED = "filled"
    PUBLISHED = "published"
    OFFERED = "offered"  # its template is submitted too; the platform decides on its approval


class Flow(msgspec.Struct):
    """A version at the platform, in one business account."""

    account_id: UUID
    form_id: str
    version: int
    waba_id: str
    flow_id: str | None = None
    stage: Stage = Stage.PENDING
    problem: str | None = None

    @property
    def key(self) -> VersionKey:
        return (self.account_id, self.form_id, self.version)


class Send(msgspec.Struct):
    """A form sent, or being sent, to a person."""

    account_id: UUID
    id: UUID
    form_id: str
    version: int
    phone: str
    message_id: UUID
    created_at: datetime
    freed: bool = False
    answered_at: datetime | None = None
    counted: bool = True  # among the sent ones: not if it failed

    @property
    def key(self) -> SendKey:
        return (self.account_id, self.id)

    @property
    def person(self) -> PersonKey:
        return (self.account_id, self.form_id, self.phone)

    @property
    def version_key(self) -> VersionKey:
        return (self.account_id, self.form_id, self.version)


Value = int | str | list[str]


class Answer(msgspec.Struct, frozen=True):
    """The answer to one question. `value` None: not answered, or unreadable."""

    question: Question
    value: Value | None
