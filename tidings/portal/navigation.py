"""The navigation: the pages that a visitor may open, and the accounts to switch between."""

from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from tidings.features.people.model import Session
from tidings.features.people.roles import Right

if TYPE_CHECKING:
    from tidings.portal.visit import Visit


@dataclass(frozen=True, slots=True)
class Item:
    path: str
    label: str
    needs: Right
    sandbox_only: bool = False
    partner_only: bool = False
    chapter: str = ""  # of the reference, where one fits


def _(text: str) -> str:
    """Marks a text for translation; templates translate it when they show it."""
    return text


GROUPS: tuple[tuple[str, tuple[Item, ...]], ...] = (
    ("", (Item("/", _("Getting started"), Right.READ),)),
    (
        _("Send"),
        (
            Item("/messages", _("Messages"), Right.READ, chapter="messages"),
            Item("/batches", _("Batches"), Right.READ, chapter="batches"),
            Item("/events", _("Events"), Right.READ, chapter="events"),
            Item("/forms", _("Forms"), Right.READ, chapter="feedback"),
            Item("/phone", _("Phone"), Right.SEND, sandbox_only=True, chapter="sandbox"),
        ),
    ),
    (
        _("Build"),
        (
            Item("/webhooks", _("Webhooks"), Right.READ, chapter="webhooks"),
            Item("/keys", _("API keys"), Right.BUILD),
            Item("/templates", _("Templates"), Right.READ, chapter="account"),
            Item("/numbers", _("Numbers"), Right.READ, chapter="account"),
            Item("/links", _("Links"), Right.READ, chapter="links"),
        ),
    ),
    (
        _("Account"),
        (
            Item("/usage", _("Usage"), Right.MONEY_READ, chapter="billing"),
            Item("/invoices", _("Invoices"), Right.MONEY_READ, chapter="billing"),
            Item(
                "/partner",
                _("Partner desk"),
                Right.MONEY_READ,
                partner_only=True,
                chapter="partner",
            ),
            Item("/optouts", _("Opt-outs"), Right.READ, chapter="recipients"),
            Item("/people", _("People"), Right.SELF),
            Item("/audit", _("Audit log"), Right.READ),
            Item("/requests", _("Requests"), Right.READ),
            Item("/privacy", _("Privacy"), Right.READ),
        ),
    ),
    (
        _("Operator"),
        (
            Item("/operator", _("Overview"), Right.OPERATE),
            Item("/operator/accounts", _("Accounts"), Right.OPERATE),
            Item("/operator/transfers", _("Transfers"), Right.OPERATE),
            Item("/operator/forms", _("Forms to approve"), Right.OPERATE),
            Item("/operator/invoices", _("Invoices"), Right.OPERATE),
            Item("/operator/people", _("All people"), Right.OPERATE),
            Item("/operator/health", _("Health"), Right.OPERATE),
            Item("/operator/parked", _("Parked work"), Right.OPERATE),
            Item("/operator/audit", _("Installation log"), Right.OPERATE),
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class Entry:
    path: str
    label: str
    is_current: bool


def groups(visit: "Visit") -> list[tuple[str, list[Entry]]]:
    """What this visitor may open, with the page that is open now."""
    current = _current(visit)
    shown = (
        (
            label,
            [
                Entry(item.path, item.label, item.path == current)
                for item in items
                if _is_offered(visit, item)
            ],
        )
        for label, items in GROUPS
    )
    return [(label, entries) for label, entries in shown if entries]


def docs_address(visit: "Visit") -> str:
    """The chapter of the reference that fits the page that is open."""
    chapters = {item.path: item.chapter for _, items in GROUPS for item in items}
    chapter = chapters.get(_current(visit))
    return f"/docs#chapter-{chapter}" if chapter else "/docs"


def _current(visit: "Visit") -> str:
    """The longest path of the navigation that the page's own begins with."""
    paths = [item.path for _, items in GROUPS for item in items]
    fitting = [
        path
        for path in paths
        if visit.path == path or (path != "/" and visit.path.startswith(f"{path}/"))
    ]
    return max(fitting, key=len, default="")


def _is_offered(visit: "Visit", item: Item) -> bool:
    if not visit.may(item.needs):
        return False
    account = visit.account
    if item.sandbox_only and (account is None or not account.is_sandbox):
        return False
    return not item.partner_only or (account is not None and account.is_partner)


@dataclass(frozen=True, slots=True)
class Choice:
    """An account to switch to. Without a label it is called by its environment."""

    id: UUID
    environment: str
    label: str


def account_choices(session: Session, chosen: UUID) -> list[Choice]:
    """The accounts of all organisations of a person, where there is more than one."""
    found = []
    for membership in session.memberships:
        environments = [account.environment for account in membership.accounts]
        is_own = any(account.id == chosen for account in membership.accounts)
        for account in membership.accounts:
            is_plain = is_own and environments.count(account.environment) == 1
            found.append(Choice(account.id, account.environment, "" if is_plain else account.name))
    return found if len(found) > 1 else []
