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


_FORMS, _NOTICES = "portal: forms", "portal: notices"  # what keys are derived for


class Tokens:
    """Makes and checks them, with keys derived from the master key. While that is rotated, one
    process may check with either key what another has made."""

    def __init__(self, sealer: Sealer, *, secure: bool) -> None:
        self._sealer = sealer
        self._secure = secure

    def for_forms(self, cookie: str) -> str:
        return _mac(self._sealer.signing_key(_FORMS), cookie)

    def is_for(self, cookie: str, token: str) -> bool:
        keys = self._sealer.signing_keys(_FORMS)
        return bool(cookie) and any(is_same(_mac(key, cookie), token) for key in keys)

    def seal_notice(self, text: str) -> str:
        body = base64.urlsafe_b64encode(text.encode()).decode()
        return f"{body}.{_mac(self._sealer.signing_key(_NOTICES), body)}"

    def open_notice(self, value: str) -> str | None:
        body, _, mac = value.partition(".")
        keys = self._sealer.signing_keys(_NOTICES)
        if not any(is_same(_mac(key, body), mac) for key in keys):
            return None
        return base64.urlsafe_b64decode(body).decode()

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


def _mac(key: bytes, text: str) -> str:
    return hmac.digest(key, text.encode(), "sha256").hex()


def new_visitor() -> str:
    return secrets.token_urlsafe(24)
