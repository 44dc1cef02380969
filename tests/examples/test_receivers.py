"""The five webhook receivers: the same posts to each, and every kind of event by a real server."""

from collections.abc import Iterator

import pytest

from tests.examples.clients import installed_express
from tests.examples.programs import Program, needs
from tests.examples.vectors import BAD, GOOD, SECRET, Post, signed
from tests.support.service import TestAccount, TestService
from tests.support.waiting import eventually
from tests.support.webhooks import feed
from tidings.features.accounts import credentials
from tidings.routes import EVENTS

NEEDS = {
    "webhooks-fastapi": ["python"],
    "webhooks-flask": ["python"],
    "webhooks-django": ["python"],
    "webhooks-express": ["node", "npm"],
    "webhooks-go": ["go"],
}


@pytest.fixture(scope="module")
def service(running_service: TestService) -> TestService:
    """By the real clock: receivers compare a post's time with theirs."""
    return running_service


@pytest.fixture(scope="module", params=NEEDS)
def receiver(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Program]:
    name: str = request.param
    needs("bash", *NEEDS[name])
    made = tmp_path_factory.mktemp(name)
    folder = installed_express(made) if name == "webhooks-express" else None
    with Program(name, made / "log", folder, TIDINGS_WEBHOOK_SECRET=SECRET) as program:
        yield program


def post(receiver: Program, what: Post) -> tuple[int, str]:
    answer = receiver.http.post("/hooks", content=what.body, headers=what.headers)
    return answer.status_code, answer.text


@pytest.mark.parametrize(("number", "name"), list(enumerate(GOOD, 1)))
def test_takes_what_is_signed_and_handles_it_once(
    receiver: Program, number: int, name: str
) -> None:
    what = GOOD[name](number)
    for _ in range(2):
        status, said = post(receiver, what)
        assert status in (200, 204), said
    receiver.wait_for(what.headers["X-Webhook-Id"])
    assert receiver.handled().count(what.headers["X-Webhook-Id"]) == 1


@pytest.mark.parametrize(("number", "name"), list(enumerate(BAD, 101)))
def test_refuses_the_rest_with_a_reason(receiver: Program, number: int, name: str) -> None:
    what = BAD[name](number)
    status, said = post(receiver, what)
    assert status == 400
    assert said.strip(), "the sender's operator reads why"
    # A post that it does take comes after: what was refused would have been handled before.
    after = signed(number + 1000, SECRET)
    assert post(receiver, after)[0] in (200, 204)
    receiver.wait_for(after.headers["X-Webhook-Id"])
    assert what.headers.get("X-Webhook-Id") not in receiver.handled()


def test_takes_every_kind_of_event_from_a_real_server(
    receiver: Program, service: TestService
) -> None:
    account = service.account(webhookUrl=f"{receiver.url}/hooks", signingSecret=SECRET)
    for kind in EVENTS:
        answer = account.post("/sandbox/v1/webhooks", {"type": kind.name})
        assert answer.status_code == 200, answer.text
    wait_until_delivered(account, len(EVENTS))
    assert {entry["webhookId"] for entry in feed(account)} <= set(receiver.handled())


def test_takes_posts_while_the_secret_is_rotated(receiver: Program, service: TestService) -> None:
    """The receiver still has the old secret, the server signs with both."""
    account = service.account(webhookUrl=f"{receiver.url}/hooks", signingSecret=SECRET)
    sealer = service.ctx.sealer
    service.transact(lambda tx: credentials.rotate_secret(tx, sealer, account.id))
    assert account.send(
        clientMessageId="rotated-1", to="972500009001", templateName="plain"
    ).is_success
    wait_until_delivered(account, 1)


def wait_until_delivered(account: TestAccount, count: int) -> None:
    def delivered() -> bool:
        entries = feed(account)
        return len(entries) >= count and all(one["status"] == "delivered" for one in entries)

    eventually(delivered, 120)
