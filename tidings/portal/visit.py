"""One visit to a page: who comes, to which account, in which language; and how to answer."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeVar
from urllib.parse import unquote, urlencode, urlsplit

from babel.numbers import format_decimal
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code
from tidings.features.accounts.model import Account
from tidings.features.audit import record as audit
from tidings.features.audit.record import Actor, Entry
from tidings.features.people.model import Person, Session
from tidings.features.people.roles import Right, Role, rights_of
from tidings.portal import render
from tidings.portal.explanations import explain
from tidings.portal.form import Form
from tidings.portal.language import translations
from tidings.portal.navigation import Choice, account_choices
from tidings.portal.stream.hub import Hub
from tidings.portal.tokens import LANGUAGE, NOTICE, SESSION, Tokens

T = TypeVar("T")

NOTICE_CHARS_MAX = 500


@dataclass(slots=True)
class Visit:
    """What a handler takes."""

    ctx: Context
    request: Request
    request_id: str
    params: Mapping[str, str]  # of the path
    query: Mapping[str, str]  # of the address
    language: str
    zone: str  # the reader's time zone
    address: str  # the reader's network address
    tokens: Tokens
    hub: Hub  # of streams
    cookie: str  # that the forms of this page are made for
    form: Form = field(default_factory=Form)
    session: Session | None = None
    account: Account | None = None  # the chosen one
    pause_reason: str | None = None  # why the account's sending is paused
    notice: str | None = None  # what came of the last form
    path: str = ""  # under /portal, without quoting

    # Who

    @property
    def person(self) -> Person:
        return self.require_session().person

    @property
    def role(self) -> Role | None:
        if self.session is None or self.account is None:
            return None
        return self.session.role_in(self.account.id)

    @property
    def chosen(self) -> Account:
        """The account, on a page that needs one."""
        if self.account is None:
            raise ApiError(Code.NOT_FOUND)
        return self.account

    @property
    def actor(self) -> Actor:
        return Actor(kind="person", name=self.person.email, address=self.address)

    def require_session(self) -> Session:
        if self.session is None:
            raise ApiError(Code.UNAUTHORIZED)
        return self.session

    def may(self, right: Right | None) -> bool:
        if right is None:
            return True
        if self.session is None:
            return False
        if right is Right.SELF:
            return True
        if right is Right.OPERATE:
            return self.session.person.is_operator
        return self.role is not None and right in rights_of(self.role)

    # When

    @property
    def now(self) -> datetime:
        """The account's own time, which a sandbox account may have moved."""
        real = self.ctx.clock.now()
        return real if self.account is None else self.account.now(real)

    # Doing

    async def transact(self, work: Callable[[Tx], Awaitable[T]]) -> T:
        return await self.ctx.db.transact(work)

    async def report(self, work: Callable[[Tx], Awaitable[T]]) -> T:
        """For pages that read many rows."""
        return await self.ctx.db.report(work)

    async def record(self, tx: Tx, action: str, subject: str, **details: object) -> None:
        """Write what this person did with the account to the audit log, in its transaction."""
        entry = Entry(
            actor=self.actor,
            action=action,
            subject=subject,
            account_id=self.chosen.id,
            details=details,
        )
        await audit.record(tx, entry)

    @property
    def is_confirmed(self) -> bool:
        """Whether "Confirm" was pressed on the page of `confirm`."""
        return self.form["confirmed"] == "yes"

    # Answering

    def gettext(self, text: str, **values: object) -> str:
        translated = translations(self.language).gettext(text)
        return translated % values if values else translated

    def ngettext(self, one: str, many: str, count: int) -> str:
        return translations(self.language).ngettext(one, many, count) % {
            "num": format_decimal(count, locale=self.language)
        }

    def refuse(self, refusal: ApiError, names: Mapping[str, str] | None = None) -> None:
        """Show a refusal of the API beside its field; `names` maps its fields to the form's."""
        field = refusal.field or ""
        self.form.error((names or {}).get(field, field), explain(refusal, self.language))

    def page(self, template: str, status: int | None = None, **values: object) -> Response:
        """The page of this template; 422 where the form has errors."""
        html = render.page(self, template, values)
        return HTMLResponse(html, status or (422 if self.form.errors else 200))

    def confirm(self, title: str, text: str, back: str) -> Response:
        """Ask again before what cannot be undone: the same form, with one button "Confirm"."""
        kept = [pair for pair in self.form.items() if pair[0] not in ("csrf", "confirmed")]
        return self.page("layout/confirm.html", question=title, text=text, back=back, kept=kept)

    def redirect(self, path: str, *, notice: str = "", **query: str) -> Response:
        """To another page of the portal; `notice` is shown there once."""
        address = f"/portal{path}" + (f"?{urlencode(query)}" if query else "")
        response = RedirectResponse(address, 303)
        if notice:
            sealed = self.tokens.seal_notice(notice[:NOTICE_CHARS_MAX])
            self.tokens.put(response, NOTICE, sealed)
        return response

    def sign_in(self, response: Response, token: str) -> Response:
        """Let the browser keep a session's token."""
        self.tokens.put(response, SESSION, token)
        return response

    def sign_out(self, response: Response) -> Response:
        self.tokens.drop(response, SESSION)
        return response

    def speak(self, response: Response, language: str) -> Response:
        self.tokens.put(response, LANGUAGE, language, lasting=True)
        return response

    @property
    def choices(self) -> list[Choice]:
        """The accounts to switch between."""
        if self.session is None or self.account is None:
            return []
        return account_choices(self.session, self.account.id)

    @property
    def asked_path(self) -> str:
        """As it was asked for: an id may hold any sign, quoted."""
        raw: bytes = self.request.scope["raw_path"]
        return raw.decode("ascii", "replace")

    @property
    def here(self) -> str:
        """The address to come back to, with its filters or its token: a posted form's own may have
        no page."""
        query = self.request.url.query
        path = self.asked_path
        if self.request.method != "GET":
            path = "/".join(path.split("/")[:3])
        return f"{path}?{query}" if query else path

    @property
    def csrf(self) -> str:
        return self.tokens.for_forms(self.cookie)


def within_portal(address: str, otherwise: str = "/") -> str:
    """A path under /portal that may be redirected to, without the prefix; never another host."""
    is_ours = address == "/portal" or address.startswith("/portal/")
    if not is_ours or "\\" in address or not address.isprintable() or "//" in address:
        return otherwise
    if {".", ".."} & set(unquote(urlsplit(address).path).split("/")):  # /portal/../elsewhere
        return otherwise
    return address.removeprefix("/portal") or "/"
