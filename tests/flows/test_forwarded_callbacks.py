"""A status that reaches another process than the one that sent the message is handled by that one,
as long as it answers."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support import callbacks as payload
from tests.support.callbacks import APP_SECRET
from tests.support.database import fresh_database
from tests.support.live import LiveAccount
from tests.support.platform import FakePlatform, recipients
from tests.support.service import TestService, require_sound
from tests.support.waiting import eventually
from tidings.engine.peers import Peers
from tidings.platforms.port import Callback
from tidings.platforms.whatsapp.callbacks import MessageCallback, read

PATH = "/platform/whatsapp/webhook"
GROUP = "0badcafe"
SETTINGS = {"TIDINGS_APP_SECRET": APP_SECRET, "TIDINGS_GRAPH_URL": "http://127.0.0.1:9"}


class Two(NamedTuple):
    """Processes beside each other; the account sends through the first."""

    first: TestService
    second: TestService
    account: LiveAccount
    platform: FakePlatform

    def send(self, cid: str, to: str) -> None:
        answer = self.account.send(clientMessageId=cid, to=to, templateName="plain")
        assert answer.status_code == 200, answer.text

    def status(self, to: str, kind: str = "delivered") -> dict:
        """As the platform reports it, about the send to this person."""
        [send] = [one for one in self.platform.sends if one.to == to]
        wamid, opaque = f"wamid.{send.send_id}", send.send_id
        return payload.status(kind, wamid, biz_opaque_callback_data=opaque)

    def update(self, to: str) -> Callback:
        """The same, read."""
        change = payload.change(statuses=[self.status(to)])
        [item] = read(payload.raw(payload.body(change)))
        assert isinstance(item, MessageCallback)
        return item.callback

    def call_back(self, service: TestService, *statuses: dict, number: str = "") -> None:
        change = payload.change(statuses=list(statuses), number=number or self.account.place)
        data = payload.raw(payload.body(change))
        answer = service.http.post(PATH, content=data, headers=payload.signed(data))
        assert answer.status_code == 200, answer.text

    def published(self) -> list[str]:
        return [event["data"]["status"] for event in self.account.events("message.status")]


def counted(service: TestService, name: str, outcome: str) -> float:
    labels = {"outcome": outcome}
    return service.ctx.metrics.registry.get_sample_value(f"tidings_{name}_total", labels) or 0.0


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Two]:
    dsn, platform = fresh_database(), FakePlatform()

    def process(number: int) -> TestService:
        peers = Peers(tmp_path, GROUP, number)
        platforms = {"live": platform}
        return TestService(dsn, tmp_path, settings=SETTINGS, platforms=platforms, peers=peers)

    with process(0) as first, process(1) as second:
        yield Two(first, second, LiveAccount(first), platform)
        require_sound(first)


def test_it_is_handled_where_the_message_was_sent(two: Two) -> None:
    two.send("order-0001", to := next(recipients))
    assert two.platform.sends[-1].send_id.endswith(f".{GROUP}-0")
    two.call_back(two.second, two.status(to))
    assert two.published() == ["sent", "delivered"]
    assert counted(two.first, "callbacks", "status") == 1
    assert counted(two.second, "callbacks", "status") == 0
    assert counted(two.second, "callbacks_forwarded", "answered") == 1


def test_it_waits_for_the_record_of_its_send_in_that_process(two: Two) -> None:
    to = next(recipients)
    with ThreadPoolExecutor(2) as threads:
        with two.platform.holding(to):
            sending = threads.submit(two.send, "order-0001", to)
            eventually(lambda: two.platform.count(to) == 1)
            calling = threads.submit(two.call_back, two.second, two.status(to))
            waiting = two.first.ctx.sends._waiting
            eventually(lambda: [len(found) for found in waiting.values()] == [1])
        sending.result()
        calling.result()
    assert two.published() == ["sent", "delivered"]


def test_a_process_that_is_gone_is_done_without(two: Two) -> None:
    two.send("order-0001", to := next(recipients))
    two.first.call(two.first.ctx.peers.close)
    two.call_back(two.second, two.status(to))
    assert two.published() == ["sent", "delivered"]
    assert counted(two.second, "callbacks", "status") == 1
    assert counted(two.second, "callbacks_forwarded", "unanswered") == 1


def test_one_callback_may_be_about_messages_of_several_processes(two: Two) -> None:
    people = [next(recipients) for _ in range(3)]
    for number, to in enumerate(people):
        two.send(f"order-{number:04}", to)
    statuses = [two.status(to) for to in people]
    opaque = statuses[1]["biz_opaque_callback_data"].partition(f".{GROUP}")[0]
    statuses[1]["biz_opaque_callback_data"] = f"{opaque}.deadbeef-0"  # of another machine
    statuses[2]["biz_opaque_callback_data"] = f"{opaque[:-2]}.1.{GROUP}-7"  # nobody is there
    two.call_back(two.second, *statuses)
    assert two.published().count("delivered") == 2
    assert counted(two.first, "callbacks", "status") == 1
    assert counted(two.second, "callbacks", "status") == 2


def test_each_status_of_a_callback_is_counted(two: Two) -> None:
    people = [next(recipients) for _ in range(3)]
    for number, to in enumerate(people):
        two.send(f"order-{number:04}", to)
    two.call_back(two.second, *map(two.status, people))
    assert counted(two.second, "callbacks_forwarded", "answered") == 3


def test_one_about_an_unknown_number_becomes_a_dead_letter_as_it_came(two: Two) -> None:
    two.send("order-0001", to := next(recipients))
    two.call_back(two.second, two.status(to), number="404")
    assert counted(two.first, "callbacks", "unrouted") == 1
    [letter] = two.first.sql("SELECT body FROM callback_dead_letters")
    [item] = read(letter["body"])
    assert isinstance(item, MessageCallback)
    assert (item.phone_number_id, item.callback) == ("404", two.update(to))
