"""A person with a browser, over HTTP: keeps cookies, reads pages, fills in forms by label."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin
from uuid import UUID

import httpx
from bs4 import BeautifulSoup, Tag

from tests.support.plain_http import NO_TLS
from tests.support.service import TestAccount, TestService
from tidings.features.people.sessions import choose_account, find_session, open_session
from tidings.ids import new_id
from tidings.portal.tokens import SESSION

_count = iter(range(1, 1_000_000))


@dataclass(frozen=True)
class Seen:
    """A page as it came."""

    response: httpx.Response
    soup: Tag

    @property
    def status(self) -> int:
        return self.response.status_code

    @property
    def h1(self) -> str:
        return text_of(self.soup.h1)

    @property
    def main(self) -> str:
        return text_of(self.soup.main)

    @property
    def errors(self) -> list[str]:
        return [text_of(one) for one in self.soup.select(".field .error, .banner.failed li")]

    @property
    def csrf(self) -> str:
        """The token of the page's forms."""
        return str(self.one("input[name=csrf]")["value"])

    def one(self, selector: str) -> Tag:
        """The first element of this CSS selector."""
        found = self.soup.select_one(selector)
        assert found is not None, f"no {selector} in: {self.main[:500]}"
        return found

    def field(self, label: str) -> Tag:
        """The control of this label."""
        for found in self.soup.find_all("label"):
            if text_of(found) == label:
                control = self.soup.find(id=found["for"])
                assert isinstance(control, Tag), f'"{label}" is the label of nothing'
                return control
        raise AssertionError(f'no field "{label}" in: {self.main[:500]}')

    def form_of(self, button: str) -> Tag:
        """The form that this button sends."""
        for found in self.soup.select("form button"):
            if text_of(found) == button:
                form = found.find_parent("form")
                assert isinstance(form, Tag)
                return form
        raise AssertionError(f'no button "{button}" in: {self.main[:500]}')

    def has_button(self, button: str) -> bool:
        return any(text_of(one) == button for one in self.soup.select("form button"))

    def links(self) -> dict[str, str]:
        return {text_of(one): str(one["href"]) for one in self.soup.select("a[href]")}

    def rows(self, table: int = 0) -> list[list[str]]:
        """The cells of a table, without its heading."""
        body = self.soup.select("table")[table].select("tbody tr")
        return [[text_of(cell) for cell in row.select("th, td")] for row in body]

    def figures(self) -> dict[str, str]:
        """Description lists: name and value."""
        names = self.soup.select("dl dt")
        return {text_of(name): text_of(name.find_next("dd")) for name in names}


class Visitor:
    def __init__(self, service: TestService) -> None:
        self.service = service
        self.http = httpx.Client(base_url=service.url, timeout=60, verify=NO_TLS)

    def keep_session(self, token: str) -> None:
        self.http.cookies.set(SESSION, token, domain=self.http.base_url.host, path="/portal")

    def raw(self, method: str, path: str, **kwargs: Any) -> httpx.Response:
        return self.http.request(method, _whole(path), **kwargs)

    def get(self, path: str) -> Seen:
        return _seen(self.http.get(_whole(path), follow_redirects=True))

    def submit(
        self,
        page: Seen,
        button: str,
        fields: dict[str, Any] | None = None,
        *,
        files: dict[str, Any] | None = None,
        raw: Mapping[str, str | list[str]] | None = None,
    ) -> Seen:
        """Press a button after filling in fields by their labels (`raw`: by their names)."""
        form = page.form_of(button)
        values = _values(form, button) | dict(raw or {})
        for label, value in (fields or {}).items():
            values[str(page.field(label)["name"])] = value
        sent = {str(page.field(label)["name"]): file for label, file in (files or {}).items()}
        action = urljoin(str(page.response.url), str(form.get("action", "")))
        if form.get("method") == "get":
            return _seen(self.http.get(action, params=values, follow_redirects=True))
        response = self.http.post(action, data=values, files=sent or None, follow_redirects=True)
        return _seen(response)

    def post(self, path: str, fields: dict[str, str]) -> httpx.Response:
        """Post a form without having opened its page, with a good token."""
        token = self.get("/people").csrf
        return self.http.post(_whole(path), data=fields | {"csrf": token})


def signed_in(
    account: TestAccount, role: str | None = "owner", *, operator: bool = False
) -> Visitor:
    """A new person of the account's organisation, who has just signed in."""
    service, person_id = account.service, new_id()
    email = f"person{next(_count)}@example.com"
    service.sql(
        "INSERT INTO people (id, email, is_operator, created_at) VALUES ($1, $2, $3, now())"
        " RETURNING id",
        person_id, email, operator,
    )  # fmt: skip
    if role is not None:
        service.sql(
            "INSERT INTO memberships (organisation_id, person_id, role, created_at)"
            " SELECT organisation_id, $2, $3, now() FROM accounts WHERE id = $1 RETURNING role",
            UUID(str(account.id)), person_id, role,
        )  # fmt: skip
    return _with_session(service, person_id, UUID(str(account.id)) if role else None)


def _with_session(service: TestService, person_id: UUID, account_id: UUID | None) -> Visitor:
    async def work(tx: Any) -> str:
        token = await open_session(tx, person_id, address="127.0.0.1", user_agent="test")
        session = await find_session(tx, token)
        assert session is not None
        if account_id is not None:
            await choose_account(tx, session.id, account_id)
        return token

    visitor = Visitor(service)
    visitor.keep_session(service.transact(work))
    return visitor


def text_of(tag: Tag | None) -> str:
    return "" if tag is None else " ".join(tag.get_text(" ").split())


def _seen(response: httpx.Response) -> Seen:
    return Seen(response, BeautifulSoup(response.text, "lxml"))


def _whole(path: str) -> str:
    return path if path.startswith(("/portal", "http")) else f"/portal{path}"


def _values(form: Tag, button: str) -> dict[str, Any]:
    """What a browser would send: every named control, and the button that was pressed."""
    values: dict[str, Any] = {}
    for control in form.select("input[name], textarea[name], select[name]"):
        name, kind = str(control["name"]), control.get("type")
        if kind in ("checkbox", "radio") and not control.has_attr("checked"):
            continue
        if kind == "file":
            continue
        if control.name == "textarea":
            values[name] = control.get_text().removeprefix("\n")
        elif control.name == "select":
            options = control.select("option[selected]") or control.select("option")
            values[name] = str(options[0].get("value", "")) if options else ""
        else:
            values[name] = str(control.get("value", ""))
    for found in form.select("button[name]"):
        if text_of(found) == button:
            values[str(found["name"])] = str(found.get("value", ""))
    return values
