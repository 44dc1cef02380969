"""What is sent, from which number, and when (4.1, contract.md "Sending"). Pure.

All inputs, the current time included, are arguments. `require_` refuses, `decide_` chooses.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import msgspec
from msgspec.structs import replace

from tidings import limits, times
from tidings.errors import ApiError, Code, ErrorCode
from tidings.features.accounts.model import Account
from tidings.features.events.model import Event
from tidings.features.events.rules import invitation_end
from tidings.features.senders.model import Number
from tidings.features.templates import rules as template_rules
from tidings.features.templates.model import Template
from tidings.features.templates.rules import Link
from tidings.platforms.content import Content, Form, Media, MediaRef, Rich, Text

from ..model import MessageKind, MessageRequest, TemplateRequest


class MessageCode(ErrorCode):
    """The error codes of messages (section 7)."""

    DUPLICATE_CLIENT_MESSAGE_ID = (
        409,
        "the clientMessageId is already used for another message of the account",
        "Use a new clientMessageId: this one belongs to a message of another kind, or to "
        "another form or recipient.",
    )
    RECIPIENT_NOT_ALLOWLISTED = (
        403,
        "the recipient is not on the account's allowed list",
        "Add the number to the account's allowlist, or send to one that is on it.",
    )
    SERVICE_WINDOW_CLOSED = (
        400,
        "free text outside the conversation window; use a template",
        "Give templateName, or wait until the guest writes: free text is allowed for 24 hours "
        "after that.",
    )
    MESSAGE_NOT_FOUND = (
        404,
        "there is no message with this id",
        "Check the clientMessageId and that the key is of the account which sent it.",
    )
    TEMPLATE_REQUIRED = (
        400,
        "templateName is required for invitations, as the account has no default template",
        "Give templateName, or set the account's defaultTemplate.",
    )


def require_allowed(account: Account, to: str) -> None:
    if account.allowlist is not None and to not in account.allowlist:
        problem = "to is not on the account's list of allowed recipients; add it or use another"
        raise ApiError(MessageCode.RECIPIENT_NOT_ALLOWLISTED, problem, field="to")


def require_times(request: MessageRequest, now: datetime) -> None:
    """Schedule, deadline and expiry against the account's present."""
    for field, end in (("deadline", request.deadline), ("expiresAt", request.expires_at)):
        if end is not None and end <= now:
            present = times.to_wire(now)
            raise _refusal(field, f"must lie in the future; the account's time is {present}")
    require_order(request, now)


def require_order(request: MessageRequest, now: datetime) -> None:
    """Checked for duplicates too: the result does not change as time passes."""
    start = request.scheduled_for
    if start is None:
        return
    if start > times.years_after(now, limits.SCHEDULE_AHEAD_YEARS_MAX):
        raise _refusal("scheduledFor", "must be at most one year ahead")
    for field, end in (("deadline", request.deadline), ("expiresAt", request.expires_at)):
        if end is not None and end <= start:
            raise _refusal(field, "must come after scheduledFor")


def takes_end_from_event(request: MessageRequest) -> bool:
    """Whether it is an invitation without an end of its own."""
    return request.kind is MessageKind.INVITATION and request.expires_at is None


def require_end(event: Event, now: datetime) -> datetime:
    """The end of an invitation that takes it from its event."""
    end = invitation_end(event)
    if end <= now:
        problem = "names an event whose invitations are over; give expiresAt, or another event"
        raise _refusal("eventId", problem)
    return end


def decide_deadline(request: MessageRequest, now: datetime) -> datetime | None:
    """When the message expires unsent; an invitation also at its end (`send_by`)."""
    return request.deadline if request.ttl is None else now + request.ttl


def _refusal(field: str, rule: str) -> ApiError:
    return ApiError(Code.VALIDATION_ERROR, f"{field} {rule}", field=field)


def is_window_open(last_inbound_at: datetime | None, now: datetime) -> bool:
    """Free text is allowed within 24 hours of the person's last message to that number."""
    return last_inbound_at is not None and now - last_inbound_at < limits.CONVERSATION_WINDOW


def needs_window(content: Content) -> bool:
    """Free content is sent only inside the conversation window, templates at any time."""
    if isinstance(content, Form):
        return not content.template
    return isinstance(content, Text | Media | Rich)


def number_in_conversation(last_inbound: Mapping[str, datetime], now: datetime) -> str | None:
    """The number whose window is open; of several, the one the person wrote to last."""
    if not last_inbound:
        return None
    opened = [(at, number) for number, at in last_inbound.items() if is_window_open(at, now)]
    return max(opened)[1] if opened else None


def decide_carriers(
    numbers: Sequence[Number],
    policy: str | None,
    last_inbound: Mapping[str, datetime],
    now: datetime,
) -> Sequence[Number]:
    """The numbers that may send free content without a template: those in conversation, if any.

    With `strict` the requested number is used anyway, and refused if its window is closed.
    """
    if policy == "strict":
        return numbers
    return [n for n in numbers if is_window_open(last_inbound.get(n.number), now)] or numbers


def decide_template(request: MessageRequest, account: Account) -> TemplateRequest | None:
    """The requested template; an invitation falls back to the account's default."""
    requested = request.template
    if requested is None or requested.name:
        return requested
    if account.default_template is None:
        problem = "templateName is required for invitations: the account has no default template"
        raise ApiError(MessageCode.TEMPLATE_REQUIRED, problem, field="templateName")
    return replace(requested, name=account.default_template)


class Composed(msgspec.Struct, frozen=True):
    """What is sent now; and for a message that waits, what replaces it outside the window."""

    content: Content
    fell_back: bool  # a template in place of the free text
    fallback: Content | None = None


def compose(
    request: MessageRequest,
    requested: TemplateRequest | None,
    versions: Sequence[Template],
    *,
    window_open: bool,
    link: Link | None = None,
) -> Composed:
    """Free content inside the window, the template outside it."""
    filled = request.fallback
    if requested is not None:
        filled = _fill(request, requested, versions, link)
    if request.free is not None and window_open:
        return Composed(request.free, fell_back=False, fallback=filled)
    if filled is not None:
        return Composed(filled, fell_back=request.free is not None, fallback=filled)
    field, what = "message", "message is free text"
    if isinstance(request.free, Media):
        field, what = "templateName", "media alone is for people in a conversation"
    problem = f"{what}, and this one has not written in the last 24 hours; give templateName"
    raise ApiError(MessageCode.SERVICE_WINDOW_CLOSED, problem, field=field)


def _fill(
    request: MessageRequest,
    requested: TemplateRequest,
    versions: Sequence[Template],
    link: Link | None,
) -> Content:
    version = template_rules.decide_version(versions, requested.name, requested.language)
    media = _header_of(request.free, version) if isinstance(request.free, Rich) else requested.media
    return template_rules.fill(
        version,
        requested.params,
        payloads=request.button_payloads,
        default_payload=request.client_message_id,
        media=media,
        link=link,
    )


def _header_of(rich: Rich, version: Template) -> MediaRef | None:
    """The header of the template: the image of the rich message, if the template takes one."""
    if version.header == "DOCUMENT":
        problem = f"{version.name!r} has a header document, which no rich message carries"
        raise _refusal("templateName", problem)
    if version.header == "IMAGE" and rich.image is None:
        problem = f"is missing: template {version.name!r} has a header image"
        raise _refusal("headerImage", problem)
    return rich.image if version.header == "IMAGE" else None


def heeds_opt_out(kind: str) -> bool:
    """Opt-outs apply to everything but a passcode, which the recipient has just requested."""
    return kind != MessageKind.PASSCODE


def is_channel_alive(
    account: Account, *, called_at: datetime | None, since: datetime, now: datetime
) -> bool:
    """Whether the absence of a callback is evidence. The sandbox always calls back; of the live
    platform we know it if it has called back for this account since the send, or recently.
    """
    if account.is_sandbox:
        return True
    if called_at is None:
        return False
    return called_at >= since or now - called_at <= limits.CALLBACK_SILENCE_MAX


def decide_next_look(waited: timedelta) -> timedelta:
    """Until the next check of a message with an unknown outcome: back-off."""
    return min(max(waited / 8, limits.UNKNOWN_PROBE_MIN), limits.UNKNOWN_PROBE_MAX)


@dataclass(frozen=True, slots=True)
class Wait:
    pass


@dataclass(frozen=True, slots=True)
class SendAgain:
    pass


@dataclass(frozen=True, slots=True)
class GiveUp:
    pass


def decide_unknown(
    *,
    kind: str,
    channel_alive: bool,
    may_resend: bool,
    resends: int,
    waited_for: datetime,
    deadline: datetime | None,
    now: datetime,
) -> Wait | SendAgain | GiveUp:
    """The platform was called and no response came (contract.md). Never a blind retry."""
    waited = now - waited_for
    if waited < limits.UNKNOWN_GRACE:
        return Wait()
    if not channel_alive and waited < limits.UNKNOWN_MAX:
        return Wait()
    in_time = deadline is None or deadline - now >= limits.OTP_RESEND_TTL_LEFT_MIN
    if resends == 0 and in_time and (kind == MessageKind.PASSCODE or may_resend):
        return SendAgain()
    return GiveUp()
