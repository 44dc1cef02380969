"""What a refused request held is freed when it has been answered, without a garbage collection.

A refusal's traceback holds the frames it passed, these hold the body, and a list or a future in one
of them holds the refusal: a cycle. The collector runs seldom in a server, so megabytes of refused
media would stay for hours.
"""

import gc
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.service import GUEST, TestAccount
from tests.support.waiting import eventually
from tidings.engine.http.endpoint import Request

MEDIA = {"mediaBase64": "aGVsbG8=", "type": "image"}
ITEM = {"to": GUEST, "templateName": "plain"}


@pytest.fixture
def uncollected() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def held() -> set[int]:
    """The requests in memory, whoever made them."""
    return {id(it) for it in gc.get_objects() if isinstance(it, Request)}


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/messages/text", {**ITEM, "clientMessageId": "refused-0001", "templateName": "none"}),
        ("/messages/text", {**ITEM, "clientMessageId": "refused-0001", "eventId": "no-event"}),
        ("/messages/text", {**ITEM, "clientMessageId": "refused-0001", "to": "1"}),
        ("/messages/text", {**ITEM, "clientMessageId": "refused-0001", **MEDIA}),
        ("/messages/otp", {"to": GUEST, "code": "1 2"}),
        ("/messages/bulk", {"messages": [{**ITEM, "clientMessageId": "item-0001"}, {"to": "1"}]}),
        ("/messages/bulk", {"messages": [{**ITEM, "clientMessageId": "i-00002", "kind": "x"}]}),
        (
            "/messages/bulk",
            {"messages": [{**ITEM, "clientMessageId": "item-0003", "templateName": "none"}]},
        ),
        ("/feedback/send", {"formId": "none", "to": GUEST}),
        ("/links", {"url": "ftp://example.com"}),
    ],
)
@pytest.mark.usefixtures("uncollected")
def test_a_refused_request_is_freed_at_once(
    account: TestAccount, path: str, body: dict[str, Any]
) -> None:
    before = held()
    account.post(path, body)
    eventually(lambda: held() <= before)
