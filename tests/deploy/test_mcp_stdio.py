"""`tidings mcp` as a client's configuration starts it: a process of its own, over stdio."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp_types import CallToolResult, Implementation

from tests.support.service import GUEST, TestAccount
from tidings.cli.options import LOCAL_URL

PAGE = Path(__file__).parents[2] / "docs" / "assistants.md"


async def done(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    result = await client.call_tool(tool, arguments)
    assert isinstance(result, CallToolResult) and not result.is_error, result
    assert result.structured_content is not None
    return result.structured_content


def configured(account: TestAccount) -> StdioServerParameters:
    """As the page says, with this account and this installation."""
    block = re.search(r"```json\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert block is not None
    shown = json.loads(block[1])["mcpServers"]["tidings"]
    assert (shown["command"], list(shown["env"])) == ("tidings", ["TIDINGS_API_KEY"])
    return StdioServerParameters(
        command=str(Path(sys.executable).with_name("tidings")),
        args=[one.replace(LOCAL_URL, account.service.url) for one in shown["args"]],
        env={"TIDINGS_API_KEY": account.key},
    )


@pytest.mark.anyio
async def test_the_configuration_of_the_page_sends_a_message(account: TestAccount) -> None:
    me = Implementation(name="desk", version="2")
    async with Client(configured(account), client_info=me) as client:
        sent = await done(client, "send_message", to=GUEST, template_name="plain")
        assert sent["data"]["status"] == "sent"
    [act] = account.service.sql(
        "SELECT actor FROM audit_log WHERE account_id = $1 AND action = 'api.called'", account.id
    )
    assert act["actor"].startswith("tidings-mcp/") and act["actor"].endswith("(desk/2)")
