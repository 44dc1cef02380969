"""Callback subscriptions of accounts and of the app (platform.md, section 6)."""

from typing import Any

from tidings_simulator.callbacks.sender import CallbackSender
from tidings_simulator.connection import Request
from tidings_simulator.graph.errors import GraphError, required
from tidings_simulator.graph.nodes import show_app
from tidings_simulator.graph.request_fields import read_fields, text_of
from tidings_simulator.model import Waba
from tidings_simulator.world import World


def show(world: World, waba: Waba) -> dict[str, Any]:
    if not waba.subscribed:
        return {"data": []}
    app: dict[str, Any] = {"whatsapp_business_api_data": show_app(world)}
    if waba.callback_url:
        app["override_callback_uri"] = waba.callback_url
    return {"data": [app]}


async def subscribe(
    callback_sender: CallbackSender, waba: Waba, request: Request
) -> dict[str, Any]:
    """Without an override, callbacks go to the app's URL again."""
    fields = read_fields(request)
    url, token = text_of(fields, "override_callback_uri"), text_of(fields, "verify_token")
    if url:
        if not token:
            raise required("verify_token")
        await _require_verified(callback_sender, url, token)
    waba.callback_url, waba.verify_token, waba.subscribed = url, token, True
    return {"success": True}


async def set_callback(callback_sender: CallbackSender, request: Request) -> dict[str, Any]:
    """`POST /{app-id}/subscriptions`."""
    fields = read_fields(request)
    if text_of(fields, "object") != "whatsapp_business_account":
        raise required("object")
    url, token = text_of(fields, "callback_url"), text_of(fields, "verify_token")
    if not url or not token:
        raise required("verify_token" if url else "callback_url")
    await _require_verified(callback_sender, url, token)
    callback_sender.url = url
    return {"success": True}


async def _require_verified(callback_sender: CallbackSender, url: str, token: str) -> None:
    problem = await callback_sender.verify(url, token)
    if problem:
        text = f"(#2200) Callback verification failed with the following errors: {problem}"
        raise GraphError(2200, message=text, status=400)
