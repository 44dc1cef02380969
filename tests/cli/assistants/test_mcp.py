"""`tidings mcp` as an assistant meets it: through the SDK's own client, against a real service."""

import re
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from mcp import Client, MCPError
from mcp_types import CallToolResult, Implementation, TextContent, TextResourceContents

from tests.support.commands import run
from tests.support.database import fresh_database
from tests.support.graph import FakeGraph
from tests.support.invitations import event_body
from tests.support.live import LiveAccount
from tests.support.receiver import Receiver, reply
from tests.support.service import GUEST, TestAccount, TestService
from tests.support.text import traces
from tests.support.webhooks import fail
from tidings.cli.assistants.api import Api
from tidings.cli.assistants.fields import NOTE
from tidings.cli.assistants.server import build

PAGE = Path(__file__).parents[3] / "docs" / "assistants.md"
PLAIN = {"to": GUEST, "template_name": "plain"}
ACTS = {"send_message": PLAIN, "retry_webhook": {"webhook_id": "whk_1"}}


@pytest.fixture(scope="module")
def graph() -> Iterator[FakeGraph]:
    with FakeGraph() as running:
        yield running


@pytest.fixture(scope="module")
def service(graph: FakeGraph, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestService]:
    """One whose live accounts send to a platform on this machine."""
    settings = {"TIDINGS_GRAPH_URL": graph.url}
    with TestService(fresh_database(), tmp_path_factory.mktemp("d"), settings=settings) as running:
        yield running


@asynccontextmanager
async def assistant(
    account: TestAccount, *, allow_live: bool = False, mode: str = "auto"
) -> AsyncIterator[Client]:
    """The server in this process: starting one takes seconds."""
    me = Implementation(name="test-client", version="1.0")
    async with (
        Api(account.service.url, account.key, allow_live=allow_live) as api,
        Client(build(api), client_info=me, mode=mode) as client,
    ):
        yield client


async def done(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    result = await client.call_tool(tool, arguments)
    assert isinstance(result, CallToolResult) and not result.is_error, result
    assert result.structured_content is not None
    return result.structured_content


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    result = await client.call_tool(tool, arguments)
    assert isinstance(result, CallToolResult) and result.is_error, result
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


def acts(account: TestAccount) -> list[dict[str, Any]]:
    return account.service.sql(
        """
        SELECT actor_kind, actor, subject FROM audit_log
         WHERE account_id = $1 AND action = 'api.called' ORDER BY id
        """,
        account.id,
    )


@pytest.mark.anyio
async def test_an_assistant_sends_and_follows_a_message(account: TestAccount) -> None:
    async with assistant(account) as client:
        state = await done(client, "account_state")
        assert (state["environment"], state["readiness"]["ready"]) == ("sandbox", False)
        assert state["limits"]["numbers"] and state["balance"]["billingMode"] == "OFF"
        sent = (await done(client, "send_message", **PLAIN))["data"]
        assert (sent["status"], sent["duplicate"]) == ("sent", False)
        cid = sent["clientMessageId"]
        again = await done(client, "send_message", **PLAIN, client_message_id=cid)
        assert again["data"]["duplicate"] is True
        status = await done(client, "message_status", client_message_id=cid)
        assert status["data"]["to"] == GUEST
    (first, _) = acts(account)
    assert (first["actor_kind"], first["subject"]) == ("assistant", "POST /messages/text")
    assert first["actor"].startswith("tidings-mcp/")


@pytest.mark.anyio
async def test_others_texts_come_behind_a_note_that_they_are_data(
    failing_account: TestAccount,
) -> None:
    fail(failing_account)
    async with assistant(failing_account) as client:
        (message, *_) = (await done(client, "list_messages"))["data"]
        answers = [
            await done(client, "list_messages"),
            await done(client, "message_status", client_message_id=message["clientMessageId"]),
            await done(client, "failed_webhooks"),
        ]
    assert [next(iter(one.items())) for one in answers] == [("note", NOTE)] * 3


@pytest.mark.anyio
async def test_clients_of_earlier_protocols_are_served_and_named(account: TestAccount) -> None:
    async with assistant(account, mode="legacy") as client:
        assert (await done(client, "send_message", **PLAIN))["data"]["status"] == "sent"
    assert [one["actor"].partition(" ")[2] for one in acts(account)] == ["(test-client/1.0)"]


@pytest.mark.anyio
async def test_a_live_key_sends_nothing_unless_allowed(
    service: TestService, graph: FakeGraph
) -> None:
    account = LiveAccount(service)
    async with assistant(account) as client:
        for tool, arguments in ACTS.items():
            text = await refused(client, tool, **arguments)
            assert "nothing was sent" in text and "--allow-live" in text
        preview = await done(client, "send_message", **PLAIN, dry_run=True)
        assert (preview["environment"], preview["data"]["wouldBe"]) == ("live", "sent")
    assert (traces(account)["messages"], graph.to(GUEST), acts(account)) == (0, [], [])
    async with assistant(account, allow_live=True) as client:
        sent = await done(client, "send_message", **PLAIN)
    assert (sent["environment"], sent["data"]["status"]) == ("live", "sent")
    assert (len(graph.to(GUEST)), len(acts(account))) == (1, 1)


@pytest.mark.anyio
async def test_a_service_that_does_not_say_sandbox_gets_no_act() -> None:
    """The rule fails closed: an old service, a proxy, somebody else's page."""
    with Receiver() as listening:
        listening.answer(reply(200, body=b'{"success": true, "data": {}}'))
        async with (
            Api(listening.url, "td_sandbox_x", allow_live=False) as api,
            Client(build(api)) as client,
        ):
            assert "--allow-live" in await refused(client, "send_message", **PLAIN)
        assert {one.method for one in listening.requests} == {"GET"}


@pytest.mark.anyio
async def test_guests_and_their_answers_are_read(account: TestAccount) -> None:
    assert account.post("/events", event_body()).status_code == 201
    invited = {"clientMessageId": "gala-0001", "to": GUEST, "kind": "invitation"}
    more = {"eventId": "wedding", "templateName": "invite", "templateParams": ["Dana", "Sunday"]}
    assert account.send(**invited, **more).status_code == 200
    account.reply(GUEST, "Yes, we are 3")
    async with assistant(account) as client:
        (event,) = (await done(client, "list_events"))["data"]
        guests = await done(client, "list_guests", event_id=event["eventId"], state="confirmed")
    assert guests["note"] == NOTE
    (guest,) = guests["data"]
    assert (guest["to"], guest["answer"], guest["guests"]) == (GUEST, "yes", 3)


@pytest.mark.anyio
async def test_messages_batches_and_templates_are_read(account: TestAccount) -> None:
    body = {"messages": [{"clientMessageId": "order-0001", "to": GUEST, "templateName": "plain"}]}
    batch_id = account.post("/messages/bulk", body).json()["data"]["batchId"]
    async with assistant(account) as client:
        (batch,) = (await done(client, "list_batches"))["data"]
        assert batch["batchId"] == batch_id
        one = await done(client, "get_batch", batch_id=batch_id)
        assert one["data"]["total"] == 1
        listed = await done(client, "list_messages", batch_id=batch_id, limit=1)
        assert [each["clientMessageId"] for each in listed["data"]] == ["order-0001"]
        templates = (await done(client, "list_templates"))["data"]
        assert "plain" in [each["name"] for each in templates]


@pytest.mark.anyio
async def test_failed_webhooks_are_read_and_retried(
    failing_account: TestAccount, receiver: Receiver
) -> None:
    fail(failing_account)
    receiver.answer(200)
    async with assistant(failing_account) as client:
        (webhook,) = (await done(client, "failed_webhooks"))["data"]
        assert webhook["attempts"][-1]["status"] == 500
        queued = await done(client, "retry_webhook", webhook_id=webhook["webhookId"])
        assert queued["data"]["status"] == "queued"
        text = await refused(client, "retry_webhook", webhook_id="whk_1")
    assert "NOT_FOUND" in text and "Request req_" in text
    subjects = {one["subject"] for one in acts(failing_account)}
    assert subjects == {"POST /webhooks/failed/{webhookId}/retry"}


@pytest.mark.anyio
async def test_what_the_service_refuses_says_what_to_do(service: TestService) -> None:
    account = service.account(requestsPerMinute=2)
    async with assistant(account) as client:
        text = await refused(client, "send_message", **PLAIN | {"to": "12"})
        assert "INVALID_PHONE" in text and "Explained at" in text
        text = await refused(client, "message_status", client_message_id="order-0001")
    assert "RATE_LIMIT_EXCEEDED" in text and "Try again in" in text


@pytest.mark.anyio
async def test_an_act_without_an_answer_of_the_service_may_have_been_done() -> None:
    with Receiver() as listening:
        elsewhere = {"Location": listening.url_at("localhost", "/elsewhere")}
        listening.answers([reply(502, body=b"<html>"), reply(307, headers=elsewhere), reply(200)])
        async with (
            Api(listening.url, "td_sandbox_x", allow_live=True) as api,
            Client(build(api)) as client,
        ):
            for _ in range(3):
                text = await refused(client, "send_message", **PLAIN)
                assert "may or may not have been done" in text
                assert listening.requests[-1].json()["clientMessageId"] in text
        assert len(listening.requests) == 3, "a redirect is not followed"


@pytest.mark.anyio
async def test_no_service_is_said_so() -> None:
    async with (
        Api("http://127.0.0.1:9", "td_sandbox_x", allow_live=True) as api,
        Client(build(api)) as client,
    ):
        assert "No service answers" in await refused(client, "send_message", **PLAIN)


@pytest.mark.anyio
async def test_the_documentation_is_found_and_read(account: TestAccount) -> None:
    async with assistant(account) as client:
        found = (await done(client, "search_docs", query="INVALID_PHONE"))["results"]
        assert "errors/INVALID_PHONE" in [one["page"] for one in found]
        asked = "What is the best way to verify the signature of my webhooks?"
        found = (await done(client, "search_docs", query=asked))["results"]
        assert found[0]["page"] == "webhooks#verify-the-signature"
        page = (await done(client, "read_docs", page=found[0]["page"]))["result"]
        assert page.startswith("# ")
        assert "search_docs" in await refused(client, "read_docs", page="../pyproject")


@pytest.mark.anyio
async def test_every_page_is_a_resource(account: TestAccount) -> None:
    async with assistant(account) as client:
        listed = (await client.list_resources()).resources
        assert "tidings://guide/assistants" in [one.uri for one in listed]
        for uri in (*(one.uri for one in listed), "tidings://guide/errors/INVALID_PHONE"):
            (read,) = (await client.read_resource(uri)).contents
            assert isinstance(read, TextResourceContents) and read.text.startswith("# "), uri
            assert read.mime_type == "text/markdown"
        with pytest.raises(MCPError, match="There is no page nothing"):
            await client.read_resource("tidings://guide/nothing")


@pytest.mark.anyio
async def test_every_tool_says_whether_it_changes_something(account: TestAccount) -> None:
    async with assistant(account) as client:
        tools = (await client.list_tools()).tools
    table = "\n".join(line for line in PAGE.read_text().splitlines() if line.startswith("| `"))
    assert {one.name for one in tools} == set(re.findall(r"`(\w+_\w+)`", table)) - {"dry_run"}
    acting = {one.name for one in tools if one.annotations and not one.annotations.read_only_hint}
    assert acting == set(ACTS)
    for tool in tools:
        assert tool.description and len(tool.description) > 20
        for name, field in tool.input_schema["properties"].items():
            assert field.get("description"), f"{tool.name}: {name}"


def test_a_key_is_needed() -> None:
    run("mcp").refused("--key")


class Absent:
    """Finds modules, but not the SDK: as if that were not installed."""

    def find_spec(self, name: str, *_: object) -> None:
        if name == "mcp":
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def test_without_the_sdk_it_says_how_to_install_it() -> None:
    with (
        mock.patch.dict(sys.modules),
        mock.patch.object(sys, "meta_path", [Absent(), *sys.meta_path]),
    ):
        for name in list(sys.modules):
            if name == "mcp" or name.startswith(("mcp.", "tidings.cli.assistants.")):
                del sys.modules[name]
        run("mcp", "--key", "td_sandbox_x").refused("pip install 'tidings[mcp]'")
