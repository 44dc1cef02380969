"""Some of the malformed requests of `make fuzz`, to every endpoint: each answer is in the envelope,
of a declared code, silent about our insides, and none is a 5xx."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from proof.fuzz import api_calls, bodies, spoil
from proof.fuzz.call import http
from proof.fuzz.drive import Tally, drive
from proof.fuzz.judge import Answer, faults
from proof.fuzz.known import Known
from proof.fuzz.prepare import make_something_of_everything
from proof.fuzz.wire import Connection
from proof.fuzz.world import ENV, declaration
from tests.support.database import fresh_database
from tests.support.service import TestService, require_sound
from tidings.engine.http.endpoint import Route

SEED = 1
REQUESTS = 500
SHARES = {"api": 70, "callback": 20, "raw": 10}  # the portal's pages need a person
ROUTES = [route for route in api_calls.ROUTES if route.path != "/sandbox/v1/clock"]


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TestService, Known]]:
    folder, known = tmp_path_factory.mktemp("data"), Known()
    with TestService(fresh_database(), folder, settings=ENV) as service:
        service.apply(declaration())
        make_something_of_everything(service.url, known)
        yield service, known


def require_good(tally: Tally) -> None:
    assert not [(one.call.raw[:2000], one.status, one.faults) for one in tally.failures]


def port_of(service: TestService) -> int:
    return int(service.url.rpartition(":")[2])


def test_whatever_is_asked_is_answered_in_the_envelope(
    attacked: tuple[TestService, Known],
) -> None:
    service, known = attacked
    tally = asyncio.run(drive(port_of(service), SEED, range(REQUESTS), known, SHARES))
    require_good(tally)
    assert tally.areas.total() == REQUESTS
    require_sound(service)


@pytest.mark.parametrize("route", ROUTES, ids=lambda one: f"{one.method} {one.path}")
def test_every_endpoint_withstands_a_few(attacked: tuple[TestService, Known], route: Route) -> None:
    service, known = attacked
    rng, connection = Random(route.path), Connection(port_of(service))

    async def ask() -> None:
        for _ in range(4):
            call = api_calls.of_route(rng, known, route)
            found = await connection.ask(call)
            assert not faults(call, found), (call.raw[:2000], found)
        await connection.close()

    asyncio.run(ask())


def test_the_same_seed_makes_the_same_requests(tmp_path: Path) -> None:
    one, other = (
        [api_calls.make(Random(number), Known()).raw for number in range(50)] for _ in range(2)
    )
    assert one == other and len(set(one)) > 40


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Answer(500, {}, b"{}"), "answered 500"),
        (Answer(400, {}, b"Traceback (most recent"), "shows"),
        (Answer(400, {}, b"no"), "outside the envelope"),
        (Answer(200, {"content-type": "application/json"}, b"[]"), "outside the envelope"),
        (Answer(418, {"content-type": "application/json"},
                b'{"success":false,"error":{"code":"NOT_FOUND","message":"x"}}'), "NOT_FOUND with"),
        (Answer(402, {"content-type": "application/json"},
                b'{"success":false,"error":{"code":"QUOTA_EXHAUSTED","message":"x"}}'),
         "not declared"),
        (Answer(200, {"content-type": "application/json", "cache-control": "max-age=1"},
                b'{"success":true}'), "Cache-Control is"),
    ],
)  # fmt: skip
def test_a_wrong_answer_is_noticed(answer: Answer, words: str) -> None:
    route = next(one for one in ROUTES if one.path == "/api/v1/balance")
    call = api_calls.Call("api", "balance", http(b"GET", b"/api/v1/balance", []), route)
    assert words in "; ".join(faults(call, answer))


def test_spoiling_leaves_nothing_as_it_was() -> None:
    route = next(one for one in ROUTES if one.path == "/api/v1/messages/text")
    rng = Random(1)
    body = bodies.sound(rng, route)
    spoilt = {spoil.dump(spoil.spoil_values(rng, body, [])) for _ in range(50)}
    assert len(spoilt) > 30
