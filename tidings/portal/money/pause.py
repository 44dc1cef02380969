"""The words of the banner that says why sending is paused."""

from tidings.features.billing.pause import PauseKind, PauseReason
from tidings.portal.visit import Visit


def _(text: str) -> str:
    """Marks a text for translation."""
    return text


TEXTS = {
    PauseKind.DISABLED: _("The account is disabled. Ask the operator to enable it."),
    PauseKind.ALL_PAUSED: _(
        "The operator has paused all sending. What waits goes on by itself afterwards."
    ),
    PauseKind.PAUSED: _("The account is paused. Ask the operator to resume it."),
    PauseKind.INVOICE_OVERDUE: _(
        "Invoice %(invoice)s is overdue. Sending goes on by itself once it is paid."
    ),
    PauseKind.NO_SUBSCRIPTION: _("The account has no subscription. Ask the operator to add one."),
    PauseKind.SUBSCRIPTION_EXPIRED: _("The subscription has ended. Ask the operator to renew it."),
    PauseKind.QUOTA_EXHAUSTED: _(
        "The unique messages of the subscription are used up, so no new number can be written to."
    ),
    PauseKind.CREDIT_LIMIT: _(
        "The credit limit is reached. Sending goes on after the next invoice."
    ),
    PauseKind.CAPACITY_EXHAUSTED: _(
        "The partner's capacity is used up. Sending goes on after a top-up."
    ),
    PauseKind.CAPACITY_EXPIRED: _("The partner agreement has ended. Ask the operator to renew it."),
}


def text_of(visit: Visit, reason: PauseReason) -> str:
    if reason.kind is PauseKind.INVOICE_OVERDUE:
        return visit.gettext(TEXTS[reason.kind], invoice=reason.invoice)
    return visit.gettext(TEXTS[reason.kind])
