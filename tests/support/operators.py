"""Operators in tests: people of the installation, and what their acts leave in the audit log."""

from typing import Any

import msgspec

from tests.support.portal import Visitor, signed_in
from tests.support.service import TestAccount, TestService


def operator_of(service: TestService) -> Visitor:
    """An operator who belongs to no account."""
    return signed_in(service.account(), role=None, operator=True)


def audited(service: TestService, action: str, subject: str) -> list[dict[str, Any]]:
    """Entries without who and when: what a command and a page must have in common."""
    rows = service.sql(
        """
        SELECT action, subject, account_id, details::text AS details FROM audit_log
         WHERE action = $1 AND subject = $2 ORDER BY id
        """,
        action,
        subject,
    )
    return [row | {"details": msgspec.json.decode(row["details"])} for row in rows]


def actors(
    service: TestService, action: str, subject: str, account: TestAccount | None = None
) -> list[tuple[str, bool]]:
    """What kind of actor, and whether from a network address; of one account, where it is given."""
    rows = service.sql(
        """
        SELECT actor_kind, address IS NOT NULL AS known FROM audit_log
         WHERE action = $1 AND subject = $2 AND ($3::uuid IS NULL OR account_id = $3)
         ORDER BY id
        """,
        action,
        subject,
        None if account is None else account.id,
    )
    return [(row["actor_kind"], row["known"]) for row in rows]
