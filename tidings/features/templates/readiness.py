"""Whether an invitation that names no template could leave now (endpoint 2, contract2.md C). Pure.

Every reason is reported, not only the first. A closed send window is not one: a message accepted
meanwhile is sent when the window opens.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from tidings.features.accounts.model import Account
from tidings.features.senders.model import Number

from . import responses
from .model import Template


class Subject(StrEnum):
    """What has to be in order before something can be sent."""

    ACCOUNT = "account"
    BILLING = "billing"
    TEMPLATE = "template"
    NUMBER = "number"


@dataclass(frozen=True, slots=True)
class Check:
    """One of them, and what stands against it; in order where there is nothing."""

    subject: Subject
    reasons: list[str]


def checks(
    account: Account,
    templates: Sequence[Template],
    numbers: Sequence[Number],
    unpaid: str | None,
    *,
    held: bool = False,
) -> list[Check]:
    """`unpaid`: why billing refuses a message to a new recipient; None: it does not. `held`: all
    sending is paused after a restore."""
    template = find_template(account.default_template, templates)
    return [
        Check(Subject.ACCOUNT, _account_reasons(account, held=held)),
        Check(Subject.BILLING, [unpaid] if unpaid is not None else []),
        Check(Subject.TEMPLATE, _template_reasons(account.default_template, template)),
        Check(Subject.NUMBER, _number_reasons(numbers)),
    ]


def readiness(
    account: Account,
    templates: Sequence[Template],
    numbers: Sequence[Number],
    unpaid: str | None,
    *,
    held: bool = False,
) -> responses.Readiness:
    """Every reason of the checks."""
    template = find_template(account.default_template, templates)
    found = checks(account, templates, numbers, unpaid, held=held)
    reasons = [reason for check in found for reason in check.reasons]
    return responses.Readiness(
        ready=not reasons,
        reasons=reasons,
        invitation_template=None if template is None else _template(template),
        numbers=[responses.NumberReadiness(one.number, one.ready, one.reason) for one in numbers],
    )


def find_template(name: str | None, templates: Sequence[Template]) -> Template | None:
    """The account's default, in an approved language version if there is one."""
    versions = [version for version in templates if version.name == name]
    return min(versions, key=lambda version: (not version.usable, version.language), default=None)


def _template(version: Template) -> responses.InvitationTemplate:
    return responses.InvitationTemplate(
        version.name, version.language, version.status, ready=version.usable
    )


def _account_reasons(account: Account, *, held: bool) -> list[str]:
    reasons = []
    if not account.active:
        reasons.append("the account is disabled (active = false in its file)")
    if account.paused:
        reasons.append("the account is paused (paused = true in its file)")
    if account.all_paused and held:
        reasons.append("all sending is held after a restore until the operator confirms it")
    elif account.all_paused:
        reasons.append("all sending is paused by the operator; what waits goes on afterwards")
    return reasons


def _template_reasons(name: str | None, template: Template | None) -> list[str]:
    if name is None:
        return ["the account has no defaultTemplate; set it in its file for `tidings apply`"]
    if template is None:
        return [f"defaultTemplate {name!r} is none of the account's templates (GET /templates)"]
    reason = responses.reason(template)
    return [] if reason is None else [f"defaultTemplate {name!r} cannot be sent: {reason}"]


def _number_reasons(numbers: Sequence[Number]) -> list[str]:
    if not numbers:
        return ["the account has no number to send from"]
    if any(number.ready for number in numbers):
        return []
    return [f"number {number.number} cannot send: {number.reason}" for number in numbers]
