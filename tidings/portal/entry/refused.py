"""Refusals of the ways in, in the reader's language, with what to do."""

from starlette.responses import Response

from tidings.errors import ApiError, Code, ErrorCode
from tidings.features.people.rules import PeopleCode
from tidings.portal import explanations
from tidings.portal.visit import Visit


def _(text: str) -> str:
    """Marks a text for translation."""
    return text


_TEXTS: dict[ErrorCode, str] = {
    PeopleCode.SIGN_IN_REFUSED: _("The e-mail address or the password is wrong."),
    PeopleCode.CODE_REFUSED: _(
        "The code is wrong or was used. Enter the one that the app shows now, or a recovery code."
    ),
    PeopleCode.PASSWORD_TOO_SHORT: _("A password has at least 12 characters."),
    PeopleCode.PASSWORD_WRONG: _("This is not your present password."),
    PeopleCode.PERSON_EXISTS: _(
        "Somebody has signed up with this address. Sign in, or ask an owner for an invitation."
    ),
    PeopleCode.MEMBER_ALREADY: _("This person is a member already. Change the role instead."),
    PeopleCode.LAST_OWNER: _("An organisation needs an owner. Make somebody else an owner first."),
}
_FIELDS = {
    "email": _("Enter an e-mail address such as dana@example.com."),
    "organisation": _("Enter the organisation's name, of at most 80 characters."),
}
_TOO_EASY = _("This password is too easy to guess. Take a few words that do not belong together.")


def explain(visit: Visit, refusal: ApiError) -> int:
    """Show a refusal in the form, beside its field; returns the status of the page."""
    visit.form.error(refusal.field or "", text_of(visit, refusal))
    return 429 if refusal.code is PeopleCode.TOO_MANY_TRIES else 422


def limited(response: Response, retry_after: int | None) -> Response:
    """Says to programs as well how long to wait."""
    if retry_after is not None:
        response.headers["retry-after"] = str(retry_after)
    return response


def text_of(visit: Visit, refusal: ApiError) -> str:
    if refusal.code is PeopleCode.TOO_MANY_TRIES:
        minutes = refusal.extra["minutes"]
        assert isinstance(minutes, int)
        return visit.ngettext(
            "Too many tries. Wait for a minute and try again.",
            "Too many tries. Wait for %(num)s minutes and try again.",
            minutes,
        )
    if refusal.code is PeopleCode.PASSWORD_TOO_EASY:
        # The reason is zxcvbn's, in English.
        return refusal.message if visit.language == "en" else visit.gettext(_TOO_EASY)
    if refusal.code is Code.VALIDATION_ERROR and refusal.field in _FIELDS:
        return visit.gettext(_FIELDS[refusal.field])
    text = _TEXTS.get(refusal.code)
    return explanations.explain(refusal, visit.language) if text is None else visit.gettext(text)
