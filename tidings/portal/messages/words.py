"""Words about messages, for translation: kinds, reasons to wait, outcomes, charges."""

from tidings.features.billing.model import ChargeEntry, ChargeKind
from tidings.features.messages.model import MessageKind, Reason


def _(text: str) -> str:
    return text


KINDS = {
    MessageKind.NOTIFICATION: _("Notification"),
    MessageKind.INVITATION: _("Invitation"),
    MessageKind.PASSCODE: _("Passcode"),
    MessageKind.FEEDBACK: _("Feedback form"),
    MessageKind.PROMPT: _("Text of an event"),
}
REASONS = {
    Reason.SEND_WINDOW: _("outside the sending hours"),
    Reason.NUMBER_LIMIT: _("the number's limit is reached"),
    Reason.ACCOUNT_LIMIT: _("the account's limit is reached"),
    Reason.INVOICE_OVERDUE: _("an invoice is overdue"),
    Reason.SENDING_PAUSED: _("sending is paused"),
    Reason.NUMBER_UNHEALTHY: _("the number cannot send"),
    Reason.PLATFORM_UNAVAILABLE: _("the platform does not answer"),
}
HINTS = {  # what to do, where there is something to do
    Reason.SEND_WINDOW: _("It goes out by itself when the sending hours begin."),
    Reason.NUMBER_LIMIT: _("It goes out by itself when the number may send again."),
    Reason.ACCOUNT_LIMIT: _("It goes out by itself when the account may send again."),
    Reason.INVOICE_OVERDUE: _("Pay the invoice; what waits goes out afterwards."),
    Reason.SENDING_PAUSED: _("It goes out when sending is resumed."),
    Reason.NUMBER_UNHEALTHY: _("Look at the number's status. It is tried again by itself."),
    Reason.PLATFORM_UNAVAILABLE: _("It is tried again by itself."),
}
OUTCOMES = {
    "sent": _("taken by the platform"),
    "failed": _("refused"),
    "deferred": _("to be tried again"),
    "unknown": _("no answer"),
}
CHARGES = {
    ChargeKind.UNIQUE: _("Unique message"),
    ChargeKind.FOLLOWUP: _("Follow-up message"),
    ChargeKind.CAPACITY: _("Message of the partner's capacity"),
    ChargeEntry.RESERVE: _("reserved until it is delivered"),
    ChargeEntry.SETTLE: _("charged"),
    ChargeEntry.REFUND: _("refunded"),
}
