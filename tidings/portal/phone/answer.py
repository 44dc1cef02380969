"""What the simulated guest does: writes, taps, sends a photo, fills in a form, says STOP."""

from collections.abc import Awaitable, Callable

from starlette.responses import Response

from tidings.errors import ApiError, Code
from tidings.features.people.roles import Right
from tidings.features.sandbox import guest
from tidings.features.sandbox.conversation import load_phone
from tidings.platforms.sandbox.replies import Attachment, ButtonPress, GuestReply
from tidings.portal.page import Page
from tidings.portal.phone import chat
from tidings.portal.phone.number import require_guest
from tidings.portal.phone.phone import show
from tidings.portal.visit import Visit

FIELDS = {"text": "reply"}
ANSWER = "answer."  # before a question's id, in the form's names of fields


async def reply(visit: Visit) -> Response:
    return await _do(visit, lambda: _say(visit, _written(visit)))


async def tap(visit: Visit) -> Response:
    """A button of the message `message`."""
    press = ButtonPress(visit.form.raw("text") or None, visit.form.raw("payload") or None)
    return await _do(visit, lambda: _say(visit, GuestReply(button=press), visit.form["message"]))


async def photo(visit: Visit) -> Response:
    picture = GuestReply(media=Attachment("image", visit.form["caption"]))
    return await _do(visit, lambda: _say(visit, picture))


async def stop(visit: Visit) -> Response:
    return await _do(visit, lambda: _say(visit, GuestReply(stop=True)))


async def fill_in(visit: Visit) -> Response:
    """The form of the message `form`."""
    return await _do(visit, lambda: _fill_in(visit))


async def _do(visit: Visit, act: Callable[[], Awaitable[None]]) -> Response:
    """Then the phone again; what cannot be done is said beside its field."""
    try:
        await act()
    except ApiError as refusal:
        if refusal.code.status != Code.VALIDATION_ERROR.status:
            raise
        visit.refuse(refusal, FIELDS)
        return await show(visit)
    return visit.redirect("/phone", number=visit.form["number"])


def _written(visit: Visit) -> GuestReply:
    if not visit.form["reply"]:
        raise ApiError(Code.VALIDATION_ERROR, visit.gettext("Write something first."), field="text")
    return GuestReply(text=visit.form["reply"])


async def _fill_in(visit: Visit) -> None:
    account, number = visit.chosen, require_guest(visit.form["number"])
    seen = await visit.transact(lambda tx: load_phone(tx, account.id, number))
    form = chat.find_form(seen, visit.form["form"])
    if form is None:
        raise ApiError(Code.NOT_FOUND)
    answers = {one.id: _answer(visit, one) for one in form.questions}
    given = {id_: answer for id_, answer in answers.items() if answer}
    await _say(visit, GuestReply(answers=given), form.client_message_id)


def _answer(visit: Visit, question: chat.Question) -> str | list[str]:
    name = f"{ANSWER}{question.id}"
    return visit.form.all(name) if question.type == "multi" else visit.form[name]


async def _say(visit: Visit, said: GuestReply, pressed_in: str | None = None) -> None:
    account, from_ = visit.chosen, require_guest(visit.form["number"])
    answered = guest.Answer(from_, to=None, reply=said, quoted=None, pressed_in=pressed_in or None)
    await guest.answer(visit.ctx, account, answered)
    await visit.transact(lambda tx: visit.record(tx, "phone.answered", from_))


def _page(path: str, act: Callable[[Visit], Awaitable[Response]]) -> Page:
    return Page(path, post=act, needs=Right.SEND, sandbox_only=True)


PAGES = [
    _page("/phone/reply", reply),
    _page("/phone/tap", tap),
    _page("/phone/photo", photo),
    _page("/phone/stop", stop),
    _page("/phone/form", fill_in),
]
