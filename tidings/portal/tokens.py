"""Cookies and the tokens in forms. A form's token is derived from the cookie that it was made for,
so that another site, which cannot read the cookie, cannot make one (CSRF)."""

import base64
import hmac
import secrets
from typing import Any

from starlette.responses import Response

from tidings.secrets import Sealer, is_same

SESSION = "tidings_session"
VISITOR = "tidings_visitor"  # of someone who has not signed in
LANGUAGE = "tidings_language"
NOTICE = "tidings_notice"  # what the next page says once
ZONE = "tidings_zone"  # the reader's time zone, written by a script

_SAME_SITE: Any = "Lax"  # as the standard writes it; starlette writes what it is given
_YEAR_SECONDS = 365 * 24 * 3600


class Tokens:
    """Makes and checks them, with keys derived from the master key."""

    def __init__(self, sealer: Sealer, *, secure: bool) -> None:
        self._form_key = sealer.signing_key("portal: forms")
        self._notice_key = sealer.signing_key("portal: notices")
        self._secure = secure

    def for_forms(self, cookie: str) -> str:
        return hmac.digest(self._form_key, cookie.encode(), "sha256").hex()

    def is_for(self, cookie: str, token: str) -> bool:
        return bool(cookie) and is_same(self.for_forms(cookie), token)

    def seal_notice(self, text: str) -> str:
        body = base64.urlsafe_b64encode(text.encode()).decode()
        return f"{body}.{self._notice_mac(body)}"

    def open_notice(self, value: str) -> str | None:
        body, _, mac = value.partition(".")
        if not is_same(self._notice_mac(body), mac):
            return None
        return base64.urlsafe_b64decode(body).decode()

    def _notice_mac(self, body: str) -> str:
        return hmac.digest(self._notice_key, body.encode(), "sha256").hex()

    def put(self, response: Response, name: str, value: str, *, lasting: bool = False) -> None:
        response.set_cookie(
            name,
            value,
            max_age=_YEAR_SECONDS if lasting else None,
            path="/portal",
            secure=self._secure,
            httponly=True,
            samesite=_SAME_SITE,
        )

    def drop(self, response: Response, name: str) -> None:
        response.delete_cookie(
            name, path="/portal", secure=self._secure, httponly=True, samesite=_SAME_SITE
        )


def new_visitor() -> str:
    return secrets.token_urlsafe(24)
