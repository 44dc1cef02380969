"""What a person may be called, what password is good enough, and the codes of refusals. Pure."""

import re

from tidings import limits
from tidings.errors import ApiError, Code, ErrorCode
from tidings.wording import quote

GUESSES_MIN = 10**8  # zxcvbn's score 3 of 4: safe behind a slow hash
READ_MAX = 72  # zxcvbn reads no more; a longer password that begins well is good

# The address as one word: nothing that could end a header or start another address.
_EMAIL = re.compile(
    r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@"
    r"(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z][A-Za-z0-9-]{0,61}[A-Za-z0-9]"
)


class PeopleCode(ErrorCode):
    SIGN_IN_REFUSED = (
        422,
        "the e-mail address or the password is wrong",
        "Check both; after five wrong tries, wait for fifteen minutes.",
    )
    TOO_MANY_TRIES = 429, "too many wrong tries", "Wait for as long as the message says."
    CODE_REFUSED = (
        422,
        "the code is wrong or was used",
        "Enter the code that the app shows now, or a recovery code that was not used.",
    )
    PASSWORD_TOO_SHORT = (
        422,
        f"a password has at least {limits.PASSWORD_CHARS.low} characters",
        "Take a few words that do not belong together.",
    )
    PASSWORD_TOO_EASY = (
        422,
        "the password is too easy to guess",
        "Take a few words that do not belong together.",
    )
    PASSWORD_WRONG = 422, "the password is wrong", "Enter your present password."
    PERSON_EXISTS = (
        422,
        "somebody has signed up with this e-mail address",
        "Sign in, or ask an owner of the organisation for an invitation.",
    )
    MEMBER_ALREADY = (
        422,
        "somebody with this e-mail address is a member already",
        "Change the member's role instead.",
    )
    LINK_OVER = (
        404,
        "the link is unknown, was used or is too old",
        "Ask whoever invited you for another one.",
    )
    LAST_OWNER = (
        422,
        "an organisation needs an owner",
        "Make somebody else an owner first.",
    )


def require_email(text: str) -> str:
    email = text.strip()
    if len(email) > limits.EMAIL_CHARS_MAX or not _EMAIL.fullmatch(email) or ".." in email:
        raise ApiError(
            Code.VALIDATION_ERROR,
            f"email must be an address such as dana@example.com, got {quote(text)}",
            field="email",
        )
    return email


def require_organisation(text: str) -> str:
    name = " ".join(text.split())
    if len(name) not in limits.ORGANISATION_CHARS or not name.isprintable():
        raise ApiError(
            Code.VALIDATION_ERROR,
            f"organisation must be a name of {limits.ORGANISATION_CHARS} characters",
            field="organisation",
        )
    return name


def require_long_password(password: str) -> None:
    if len(password) < limits.PASSWORD_CHARS.low:
        raise ApiError(PeopleCode.PASSWORD_TOO_SHORT, field="password")


def require_good_password(password: str, known: tuple[str, ...] = ()) -> None:
    """Refuses what is short, common or easy to guess. `known`: what an attacker knows of the
    person, such as the address. Slow: takes milliseconds, up to a hundred."""
    require_long_password(password)
    if len(password) > (high := limits.PASSWORD_CHARS.high):
        raise ApiError(
            Code.VALIDATION_ERROR,
            f"password must have at most {high} characters",
            field="password",
        )
    words = [word for text in known for word in (text, *re.split(r"[^\w]+", text)) if word]
    from zxcvbn import zxcvbn  # its dictionaries are large, and a password is rarely judged

    judged = zxcvbn(password[:READ_MAX], user_inputs=words)
    if judged["guesses"] < GUESSES_MIN:
        raise ApiError(PeopleCode.PASSWORD_TOO_EASY, _reason(judged["feedback"]), field="password")


def _reason(feedback: dict[str, object]) -> str:
    warning = str(feedback["warning"] or "It is too easy to guess.").rstrip(".")
    return f"{warning}. Take a few words that do not belong together."
