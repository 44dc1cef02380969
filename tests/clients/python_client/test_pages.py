"""Lists are iterated over to their end, page by page."""

import pytest

from tests.support.service import TestAccount, TestService
from tests.support.webhooks import publish_events
from tidings_client import AsyncTidings, Tidings

PEOPLE = [f"97250765{n:04}" for n in range(5)]


@pytest.fixture
def account(service: TestService) -> TestAccount:
    """With five messages."""
    made = service.account()
    for to in PEOPLE:
        sent = made.send(clientMessageId=f"to-{to}", to=to, templateName="plain")
        assert sent.status_code == 200, sent.text
    return made


def test_iteration_goes_over_all_pages(client: Tidings) -> None:
    assert [it.to for it in client.messages.list(limit=2)] == PEOPLE[::-1]


async def test_asynchronous_iteration_goes_over_all_pages(async_client: AsyncTidings) -> None:
    assert [it.to async for it in async_client.messages.list(limit=2)] == PEOPLE[::-1]


def test_pages_are_asked_for_when_they_are_needed(client: Tidings) -> None:
    pages = client.messages.list(limit=2).pages()
    first = next(pages)
    assert [it.to for it in first.items] == [PEOPLE[4], PEOPLE[3]] and first.next_cursor
    rest = client.messages.list(limit=2, cursor=first.next_cursor)
    assert [it.to for it in rest] == PEOPLE[2::-1], "another program goes on from there"
    assert [len(page.items) for page in pages] == [2, 1]


def test_a_list_can_be_iterated_again(client: Tidings) -> None:
    messages = client.messages.list(limit=4)
    assert len(list(messages)) == len(list(messages)) == 5


def test_filters_take_one_value_or_several(client: Tidings) -> None:
    assert len(list(client.messages.list(status="sent"))) == 5
    assert len(list(client.messages.list(status=["sent", "failed"], to=PEOPLE[0]))) == 1
    assert list(client.messages.list(status="failed")) == []


def test_the_catch_up_feed_goes_on_after_an_event(client: Tidings, account: TestAccount) -> None:
    whole = [entry.webhook_id for entry in client.webhooks.events(limit=2)]
    more = publish_events(account, 3)
    assert [entry.webhook_id for entry in client.webhooks.events(after=whole[-1], limit=2)] == more
