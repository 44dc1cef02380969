"""Words for kinds of messages and reasons to wait, for translation."""

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
