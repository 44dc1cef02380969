"""Roles of an organisation's members, and the rights that pages ask for. Pure."""

from enum import Enum, StrEnum, auto


class Role(StrEnum):
    OWNER = "owner"
    DEVELOPER = "developer"
    SENDER = "sender"
    BILLING = "billing"
    VIEWER = "viewer"


class Right(Enum):
    READ = auto()  # messages, events, batches and the like
    SEND = auto()  # messages, batches, events, the phone
    BUILD = auto()  # keys, webhooks, forms, templates
    MONEY_READ = auto()
    MONEY = auto()  # transfers, capacity
    MANAGE = auto()  # people, erasing, retention
    SELF = auto()  # one's own password, second factor and sessions
    OPERATE = auto()  # of the installation: no role has it, operators do


_VIEWER = frozenset({Right.READ, Right.MONEY_READ, Right.SELF})
_SENDER = _VIEWER | {Right.SEND}
_DEVELOPER = _SENDER | {Right.BUILD}
_RIGHTS: dict[Role, frozenset[Right]] = {
    Role.VIEWER: _VIEWER,
    Role.SENDER: _SENDER,
    Role.DEVELOPER: _DEVELOPER,
    Role.BILLING: frozenset({Right.MONEY_READ, Right.MONEY, Right.SELF}),
    Role.OWNER: _DEVELOPER | {Right.MONEY, Right.MANAGE},
}


def rights_of(role: Role) -> frozenset[Right]:
    return _RIGHTS[role]
