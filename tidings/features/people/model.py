"""People, their memberships and sessions. Pure."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from .roles import Role


@dataclass(frozen=True, slots=True)
class Person:
    id: UUID
    email: str
    is_operator: bool
    language: str


@dataclass(frozen=True, slots=True)
class AccountRef:
    id: UUID
    name: str
    environment: str


@dataclass(frozen=True, slots=True)
class Membership:
    organisation_id: UUID
    organisation: str
    role: Role
    accounts: tuple[AccountRef, ...]  # the oldest first


@dataclass(frozen=True, slots=True)
class Session:
    """Somebody who has signed in. `account_id`: the chosen account, or the default one; None where
    no membership has an account."""

    id: UUID
    person: Person
    memberships: tuple[Membership, ...]
    account_id: UUID | None

    def membership_in(self, account_id: UUID) -> Membership | None:
        for membership in self.memberships:
            if any(account.id == account_id for account in membership.accounts):
                return membership
        return None

    def role_in(self, account_id: UUID) -> Role | None:
        """None also for operators who are no members: they have their own pages."""
        membership = self.membership_in(account_id)
        return None if membership is None else membership.role


@dataclass(frozen=True, slots=True)
class OpenSession:
    """A session as its person sees it in a list."""

    id: UUID
    created_at: datetime
    last_seen_at: datetime
    address: str | None
    user_agent: str


@dataclass(frozen=True, slots=True)
class Member:
    """A person of an organisation."""

    person_id: UUID
    email: str
    role: Role
    has_second_factor: bool
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Welcome:
    """A link that lets somebody in, until it is used or over."""

    id: UUID
    email: str
    organisation_id: UUID | None  # None: of an operator
    organisation: str | None
    account_id: UUID | None  # that they see first; None: the default
    role: Role | None
    is_operator: bool
    asks_password: bool  # False: opening it signs in (the demo)
    resets_password: bool  # of somebody who has forgotten it
    invited_by: str
    created_at: datetime
    expires_at: datetime
