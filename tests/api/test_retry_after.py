"""Retry-After: every 429 and 503 says when to try again, whoever makes the response."""

from collections.abc import Iterator

import pytest

from tests.support.service import TestService
from tests.support.shell import call, new_shell, running
from tidings.engine.http.endpoint import Auth, Endpoint, PlainResponse, at
from tidings.engine.http.openapi import error_codes
from tidings.errors import ApiError, ErrorCode
from tidings.features.people.rules import PeopleCode
from tidings.routes import API, EXTENSIONS

BUSY = (429, 503)
CODES = [one for one in [*error_codes([*API, *EXTENSIONS]), *PeopleCode] if one.status in BUSY]


async def refuse(code: ErrorCode) -> PlainResponse:
    raise ApiError(code)


async def respond(status: int) -> PlainResponse:
    return PlainResponse(status, b"busy\n")


def open_to_all(handle) -> Endpoint:
    return Endpoint(auth=Auth.NONE)(handle)


ROUTES = [
    *(
        at(None, "GET", f"/refused/{code.name}", open_to_all(lambda *_, code=code: refuse(code)))
        for code in CODES
    ),
    *(
        at(None, "GET", f"/plain/{status}", open_to_all(lambda *_, status=status: respond(status)))
        for status in BUSY
    ),
]


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with running(new_shell(routes=ROUTES)) as port:
        yield port


@pytest.mark.parametrize("path", [route.path for route in ROUTES])
def test_a_response_without_a_time_of_its_own_has_a_second(port: int, path: str) -> None:
    answer = call(port, "GET", path, key=None)
    assert (answer.status in BUSY, answer.headers.get("retry-after")) == (True, "1")


def test_every_keyed_endpoint_says_it_past_the_rate(service: TestService) -> None:
    account = service.account(requestsPerMinute=1)
    assert account.get("/balance").status_code == 200
    paths = service.http.get("/api/v1/openapi.json").json()["paths"]
    asked = 0
    for path, methods in paths.items():
        for method, operation in methods.items():
            if operation.get("security") == []:
                continue
            answer = service.http.request(method, path, headers=account.headers)
            assert answer.status_code == 429, (method, path)
            assert int(answer.headers["retry-after"]) >= 1, (method, path)
            asked += 1
    assert asked > 30
