"""Tools for messages and batches: send one, and what became of them."""

from typing import Annotated, Any
from urllib.parse import quote

from mcp.server.mcpserver import Context
from pydantic import Field

from tidings.ids import new_id

from .api import Api, Json
from .fields import LIMIT, ClientMessageId, Cursor, Limit, Since, with_note


class MessageTools:
    """The docstrings and the descriptions of arguments are what a model reads."""

    def __init__(self, api: Api) -> None:
        self._api = api

    async def send_message(
        self,
        ctx: Context[Any, Any],
        to: Annotated[str, Field(description="International digits, such as 972501234567.")],
        template_name: Annotated[
            str | None, Field(description="An approved template; list_templates has them.")
        ] = None,
        template_params: Annotated[
            list[str] | None, Field(description="The template's variables, in order.")
        ] = None,
        template_lang: Annotated[
            str | None, Field(description="Needed where a template has several languages.")
        ] = None,
        message: Annotated[
            str | None,
            Field(description="Free text: allowed for 24 hours after the person wrote to us."),
        ] = None,
        client_message_id: Annotated[
            str | None,
            Field(
                description="Your id, 8 to 128 characters. The same id is never sent twice within "
                "48 hours: give the one of the answer to repeat a call."
            ),
        ] = None,
        dry_run: Annotated[
            bool, Field(description="Only say what would happen; nothing is sent or charged.")
        ] = False,
    ) -> Json:
        """Send one WhatsApp message to one person: a template, or free text, or both.

        In a sandbox account it reaches no one. A live account needs --allow-live. It is charged
        when accepted. status "sent" means that it left; message_status has what follows.
        """
        fields = {
            "clientMessageId": client_message_id or f"mcp-{new_id().hex}",
            "to": to,
            "templateName": template_name,
            "templateParams": template_params,
            "templateLang": template_lang,
            "message": message,
        }
        body = {name: value for name, value in fields.items() if value is not None}
        if dry_run:
            return await self._api.preview("/messages/text", body)
        return await self._api.act("/messages/text", body, client=client_of(ctx))

    async def message_status(self, client_message_id: ClientMessageId) -> Json:
        """What became of a message: status, timeline, attempts, why it waits or failed, and what
        to do about it."""
        path = f"/messages/{quote(client_message_id, safe='')}"
        return with_note(await self._api.read(path))

    async def list_messages(
        self,
        to: Annotated[str | None, Field(description="Only to this number.")] = None,
        status: Annotated[
            str | None, Field(description="One, or several with commas: failed,expired.")
        ] = None,
        event_id: Annotated[str | None, Field(description="Only of this event.")] = None,
        batch_id: Annotated[str | None, Field(description="Only of this batch.")] = None,
        since: Since = None,
        until: Since = None,
        limit: Limit = LIMIT,
        cursor: Cursor = None,
    ) -> Json:
        """Messages, the newest first, by number, status, event, batch or time."""
        filters = {
            "to": to,
            "status": status,
            "eventId": event_id,
            "batchId": batch_id,
            "since": since,
            "until": until,
        }
        query = filters | {"limit": limit, "cursor": cursor}
        return with_note(await self._api.read("/messages", query))

    async def list_batches(self, limit: Limit = LIMIT, cursor: Cursor = None) -> Json:
        """Batches, the newest first, with how many of each are sent, delivered, read or failed."""
        return await self._api.read("/batches", {"limit": limit, "cursor": cursor})

    async def get_batch(
        self, batch_id: Annotated[str, Field(description="Such as bat_01a1….", min_length=1)]
    ) -> Json:
        """How far one batch is."""
        return await self._api.read(f"/batches/{quote(batch_id, safe='')}")


def client_of(ctx: Context[Any, Any]) -> str:
    """The program that the assistant runs in, as it names itself."""
    params = ctx.session.client_params
    if params is None:
        return ""
    return f"{params.client_info.name}/{params.client_info.version}"
