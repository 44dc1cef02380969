"""Two processes that trace to one collector, and a live account of the first."""

from collections.abc import Iterator
from typing import NamedTuple

import pytest

from tests.support import callbacks as payload
from tests.support.callbacks import APP_SECRET
from tests.support.collector import Collector
from tests.support.database import fresh_database
from tests.support.live import LiveAccount
from tests.support.platform import FakePlatform
from tests.support.receiver import Receiver
from tests.support.service import TestService
from tidings.engine.peers import Peers

CALLBACKS = "/platform/whatsapp/webhook"
SETTINGS = {"TIDINGS_APP_SECRET": APP_SECRET, "TIDINGS_GRAPH_URL": "http://127.0.0.1:9"}


class Traced(NamedTuple):
    first: TestService
    second: TestService
    account: LiveAccount
    platform: FakePlatform
    collector: Collector
    receiver: Receiver  # of the account's webhooks

    def send(self, cid: str, to: str, **headers: str) -> str:
        """The id of the message, which is that of its trace."""
        body = {"clientMessageId": cid, "to": to, "templateName": "plain"}
        answer = self.account.post("/messages/text", body, headers=headers)
        assert answer.status_code == 200, answer.text
        return self.message_id(cid)

    def message_id(self, cid: str) -> str:
        query = "SELECT id FROM messages WHERE account_id = $1 AND client_message_id = $2"
        [row] = self.first.sql(query, self.account.id, cid)
        return str(row["id"].hex)

    def call_back(self, service: TestService, to: str, kind: str = "delivered") -> None:
        [send] = [one for one in self.platform.sends if one.to == to]
        opaque = send.send_id
        status = payload.status(kind, f"wamid.{opaque}", biz_opaque_callback_data=opaque)
        change = payload.change(statuses=[status], number=self.account.place)
        data = payload.raw(payload.body(change))
        answer = service.http.post(CALLBACKS, content=data, headers=payload.signed(data))
        assert answer.status_code == 200, answer.text


@pytest.fixture(scope="module")
def traced(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Traced]:
    dsn, platform, folder = fresh_database(), FakePlatform(), tmp_path_factory.mktemp("data")
    with Collector() as collector, Receiver() as receiver:

        def process(number: int) -> TestService:
            settings = SETTINGS | collector.settings
            platforms, peers = {"live": platform}, Peers(folder, "0badcafe", number)
            return TestService(dsn, folder, settings=settings, platforms=platforms, peers=peers)

        with process(0) as first, process(1) as second:
            account = LiveAccount(first, webhookUrl=receiver.url)
            yield Traced(first, second, account, platform, collector, receiver)
