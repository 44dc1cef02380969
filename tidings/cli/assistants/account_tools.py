"""Tools for an account: its state, templates, guests and their answers, failed webhooks."""

from typing import Annotated, Any
from urllib.parse import quote

from mcp.server.mcpserver import Context
from pydantic import Field

from .api import Api, Json
from .fields import LIMIT, Cursor, Limit, Since, with_note
from .message_tools import client_of


class AccountTools:
    """The docstrings and the descriptions of arguments are what a model reads."""

    def __init__(self, api: Api) -> None:
        self._api = api

    async def account_state(self) -> Json:
        """Whether the account is live or a sandbox, whether it can send and why not, its limits
        and what is left of them, and its balance."""
        readiness = await self._api.read("/readiness")
        limits = await self._api.read("/limits")
        balance = await self._api.read("/balance")
        return {
            "environment": readiness["environment"],
            "readiness": readiness["data"],
            "limits": limits["data"],
            "balance": balance["data"],
        }

    async def list_templates(self) -> Json:
        """The account's templates: name, language, text, how many variables, and whether each can
        be sent now."""
        return await self._api.read("/templates")

    async def list_events(self, limit: Limit = LIMIT, cursor: Cursor = None) -> Json:
        """Events with invitations, the newest first, with how many guests confirmed, declined or
        have not answered."""
        return await self._api.read("/events", {"limit": limit, "cursor": cursor})

    async def list_guests(
        self,
        event_id: Annotated[str, Field(description="As list_events shows it.", min_length=1)],
        state: Annotated[
            str | None,
            Field(
                description="One of invited, delivered, confirmed, declined, unclear, unresolved, "
                "expired, failed, opted_out."
            ),
        ] = None,
        limit: Limit = LIMIT,
        cursor: Cursor = None,
    ) -> Json:
        """The guests of an event and their answers: yes or no, how many come, what they wrote, and
        how sure the reading of it is."""
        query = {"state": state, "limit": limit, "cursor": cursor}
        path = f"/events/{quote(event_id, safe='')}/guests"
        return with_note(await self._api.read(path, query))

    async def failed_webhooks(
        self, since: Since = None, limit: Limit = LIMIT, cursor: Cursor = None
    ) -> Json:
        """Webhooks whose six attempts all failed, with each attempt's status or error."""
        query = {"since": since, "limit": limit, "cursor": cursor}
        return with_note(await self._api.read("/webhooks/failed", query))

    async def retry_webhook(
        self,
        ctx: Context[Any, Any],
        webhook_id: Annotated[
            str, Field(description="webhookId as failed_webhooks shows it.", min_length=1)
        ],
    ) -> Json:
        """Post a failed webhook again. A live account needs --allow-live."""
        path = f"/webhooks/failed/{quote(webhook_id, safe='')}/retry"
        return await self._api.act(path, None, client=client_of(ctx))
