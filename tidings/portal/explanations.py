"""What the API's refusals say in other languages than English, in which it says them itself.

By code and field, since the API's messages are made for each case. In English they are shown as
they are: they name the value that was given.
"""

from tidings.errors import ApiError, Code, ErrorCode
from tidings.features.billing.rules import BillingCode
from tidings.features.events.rules import EventCode
from tidings.features.feedback.rules import FeedbackCode
from tidings.features.messages.accept.rules import MessageCode
from tidings.features.partner.rules import PartnerCode
from tidings.features.senders.number_selection import SenderCode
from tidings.portal.language import ENGLISH, translations


def explain(refusal: ApiError, language: str) -> str:
    """In the API's own words where we have none in the reader's language."""
    if language == ENGLISH:
        return refusal.message
    text = _BY_FIELD.get((refusal.code, refusal.field or "")) or _BY_CODE.get(refusal.code)
    return refusal.message if text is None else translations(language).gettext(text)


def _(text: str) -> str:
    """Marks a text for translation."""
    return text


_BY_FIELD: dict[tuple[ErrorCode, str], str] = {
    (Code.VALIDATION_ERROR, "cursor"): _("This page of the list is not known. Begin at the first."),
    (Code.VALIDATION_ERROR, "name"): _("The name is too long, or has signs that cannot be shown."),
    (Code.VALIDATION_ERROR, "overlap"): _("The overlap is too short or too long."),
    (Code.VALIDATION_ERROR, "reason"): _("The reason is too long."),
    (Code.VALIDATION_ERROR, "remark"): _("Say what has to change."),
    (Code.VALIDATION_ERROR, "number"): _("The account has an invoice of this number already."),
    (Code.VALIDATION_ERROR, "status"): _(
        "The invoice was paid or voided already. Issue another instead."
    ),
    (Code.VALIDATION_ERROR, "amount"): _("Give an amount above zero, such as 250.00."),
    (Code.VALIDATION_ERROR, "received"): _("Give an amount above zero, such as 250.00."),
    (Code.VALIDATION_ERROR, "email"): _("Enter an e-mail address such as dana@example.com."),
    (Code.VALIDATION_ERROR, "advanceSeconds"): _(
        "The clock cannot go further ahead. Take a new sandbox account to begin again."
    ),
    (FeedbackCode.FORM_NOT_SENDABLE, "version"): _("This version does not wait for approval."),
}
_BY_CODE: dict[ErrorCode, str] = {
    Code.APP_INACTIVE: _("The account is disabled. Ask the operator to enable it."),
    Code.INVALID_PHONE: _("A number has 8 to 20 digits, with the country's code: 972501234567."),
    Code.INVALID_URL: _("Give an address that begins with https:// and is open to the internet."),
    Code.RATE_LIMIT_EXCEEDED: _("Too many requests in a minute. Wait a little and try again."),
    Code.SERVICE_UNAVAILABLE: _("The service is busy. Try again in a moment."),
    BillingCode.NO_ACTIVE_SUBSCRIPTION: _("The account has no active subscription."),
    BillingCode.SUBSCRIPTION_EXPIRED: _("The subscription has expired."),
    BillingCode.QUOTA_EXHAUSTED: _("The unique messages of this period are used up."),
    BillingCode.FOLLOWUP_QUOTA_EXHAUSTED: _("The follow-up messages of this period are used up."),
    BillingCode.INVOICE_OVERDUE: _("An invoice is overdue. Sending goes on when it is paid."),
    BillingCode.USAGE_CREDIT_LIMIT: _("The pay-as-you-go balance has reached its limit."),
    PartnerCode.PARTNER_CAPACITY_EXHAUSTED: _("The partner's capacity is used up. Top up first."),
    PartnerCode.PARTNER_CAPACITY_EXPIRED: _("The partner agreement has ended."),
    PartnerCode.CREDIT_LIMIT_EXCEEDED: _("The top-up would exceed the credit limit."),
    PartnerCode.INVALID_QUANTITY: _("Give a whole number of messages, 1 to 10,000,000."),
    PartnerCode.REFERENCE_REQUIRED: _("Give the reference of the transfer."),
    PartnerCode.DUPLICATE_REFERENCE: _("A transfer with this reference was reported already."),
    PartnerCode.INVALID_AMOUNT: _("Give an amount above zero, such as 250.00."),
    EventCode.EVENT_LOCKED: _("The date cannot change after invitations went out."),
    MessageCode.DUPLICATE_CLIENT_MESSAGE_ID: _("This id was used for another message."),
    MessageCode.RECIPIENT_NOT_ALLOWLISTED: _(
        "The account may not send to this number: it is not on the list of allowed ones."
    ),
    MessageCode.SERVICE_WINDOW_CLOSED: _(
        "Free text can be sent only within 24 hours of the person's last message. Use a template."
    ),
    SenderCode.INVALID_SENDER: _("This is not a number of the account."),
    FeedbackCode.FORM_NOT_SENDABLE: _("The form is not published yet."),
    FeedbackCode.ALREADY_SENT: _("The form was sent to this number already."),
}
