"""Messages as bubbles on a phone, for `layout/bubble.html`. Pure.

What was sent is shown from its content, so that the portal and the sandbox's phone show the same;
templates and forms are shown before anything is sent.
"""

from collections.abc import Sequence
from datetime import UTC, datetime

import msgspec
from markupsafe import Markup

from tidings.features.feedback.model import Form as FeedbackForm
from tidings.features.messages.model import Message, Status
from tidings.features.sandbox.conversation import PhoneMessage
from tidings.features.sandbox.responses import ShownButton, ShownMessage, shown
from tidings.features.templates.model import Template
from tidings.features.templates.rules import fill
from tidings.platforms.content import Content, MediaRef, Passcode, Text
from tidings.platforms.sandbox.phone import show_outbound
from tidings.portal.markup import formatted

MEDIA = "/portal/media/"
_TICKS = {
    Status.SENT: "sent",
    Status.DELIVERED: "delivered",
    Status.READ: "read",
    Status.FAILED: "failed",
    Status.EXPIRED: "failed",
}
_PICTURES = ("image/", "sticker/")
_NEVER = datetime.min.replace(tzinfo=UTC)


class Bubble(msgspec.Struct, frozen=True, kw_only=True):
    """One message. `tick`: sent, delivered, read or failed; "" where none is shown."""

    is_ours: bool
    kind: str
    body: Markup
    at: datetime | None = None
    tick: str = ""
    title: str = ""
    footer: str = ""
    has_picture: bool = False
    picture: str = ""  # its address; "": a sample is shown instead
    document: str = ""  # the file's name
    buttons: tuple[ShownButton, ...] = ()
    client_message_id: str = ""
    message_id: str = ""
    form: dict[str, object] | None = None
    answers: tuple[tuple[str, str], ...] = ()  # of a form that was filled in


def of_phone(message: PhoneMessage) -> Bubble:
    """A message on the sandbox's phone."""
    tick = "" if message.ours is None else tick_of(message.ours)
    return _bubble(message.shown, message.at, tick)


def of_message(message: Message, content: Content) -> Bubble:
    """A message of ours, sent or not, as its recipient sees it."""
    return _bubble(_outbound(content, message), message.sent_at, tick_of(message))


def of_template(template: Template, values: Sequence[str] = ()) -> Bubble:
    """A template with these values; `{{3}}` where there is none for a variable."""
    if template.category == "AUTHENTICATION":
        return _bubble(_outbound(Passcode(template.name, template.language)), None, "")
    known = list(values[: template.variables])
    rest = [f"{{{{{number}}}}}" for number in range(len(known) + 1, template.variables + 1)]
    content = fill(template, known + rest, media=_sample_of(template))
    return _bubble(_outbound(content), None, "")


def of_form(form: FeedbackForm) -> Bubble:
    """The message that carries a form."""
    opens = ShownButton("flow", form.button_label, None, None)
    made = _bubble(_outbound(Text(form.message)), None, "")
    return msgspec.structs.replace(made, kind="form", buttons=(opens,))


def tick_of(message: Message) -> str:
    return _TICKS.get(message.status, "")


def _outbound(content: Content, message: Message | None = None) -> ShownMessage:
    return shown(
        show_outbound(
            content,
            at=_NEVER if message is None else message.created_at,
            message_id=None if message is None else message.platform_id,
            client_message_id="" if message is None else message.client_message_id,
        )
    )


def _bubble(shown: ShownMessage, at: datetime | None, tick: str) -> Bubble:
    media = shown.media or {}
    is_ours = shown.direction == "out"
    is_picture = str(media.get("mimetype", "")).startswith(_PICTURES)
    stored = is_ours and bool(media.get("mediaId"))
    answers = (shown.form or {}).get("answers")
    return Bubble(
        is_ours=is_ours,
        kind=shown.type,
        body=formatted(shown.text or ""),
        at=at,
        tick=tick,
        title=shown.title or "",
        footer=shown.footer or "",
        has_picture=is_picture,
        picture=f"{MEDIA}{media['mediaId']}" if is_picture and stored else "",
        document=str(media.get("filename") or "document") if media and not is_picture else "",
        buttons=tuple(shown.buttons) if is_ours else (),
        client_message_id=shown.client_message_id or "",
        message_id=shown.message_id or "",
        form=shown.form if is_ours else None,
        answers=_answers(answers) if isinstance(answers, dict) else (),
    )


def _answers(answers: dict[str, object]) -> tuple[tuple[str, str], ...]:
    return tuple(
        (question, ", ".join(map(str, value)) if isinstance(value, list) else str(value))
        for question, value in answers.items()
    )


def _sample_of(template: Template) -> MediaRef | None:
    if template.header == "IMAGE":
        return MediaRef("", "image/jpeg")
    if template.header == "DOCUMENT":
        return MediaRef("", "application/pdf", "document.pdf")
    return None
