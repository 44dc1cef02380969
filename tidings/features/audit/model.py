"""Entries of the audit log: who did what, to what, from where. Pure."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

ActorKind = Literal["person", "operator", "command", "visitor", "assistant"]


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acted: a person of the portal by e-mail address, an operator, a command by its name,
    somebody who has not signed in, or an assistant by the name that it gives itself."""

    kind: ActorKind
    name: str
    address: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What is to be recorded. `action` is `noun.past_participle`, such as `key.revoked`; `details`
    hold what changed, and never a secret."""

    actor: Actor
    action: str
    subject: str
    account_id: UUID | None = None
    organisation_id: UUID | None = None  # for what concerns no single account, such as its people
    details: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Recorded:
    """An entry as it is kept."""

    id: UUID
    at: datetime
    actor: Actor
    action: str
    subject: str
    account_id: UUID | None
    details: dict[str, Any]
