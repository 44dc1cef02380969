"""Routes of the Graph API: from a path to an object and its handler.

Checks run in the platform's order: the token (190), the object (100, subcode 33), the fields.
"""

import re
from collections.abc import Callable, Coroutine
from datetime import datetime
from typing import Any

import msgspec

from tidings_simulator.callbacks.bodies import CallbackEvent
from tidings_simulator.callbacks.sender import CallbackSender
from tidings_simulator.connection import Handled, Request, Reset, Response
from tidings_simulator.graph import flows, media, subscriptions, templates
from tidings_simulator.graph.accept import accept
from tidings_simulator.graph.errors import GraphError, no_such_object, unauthenticated, unknown_path
from tidings_simulator.graph.messages import check_message
from tidings_simulator.graph.nodes import (
    FLOW_FIELDS,
    NUMBER_FIELDS,
    TEMPLATE_FIELDS,
    WABA_FIELDS,
    show_number,
    show_template,
    show_waba,
)
from tidings_simulator.graph.paging import page, pick
from tidings_simulator.model import Flow, MediaFile, MessageTemplate, Number, UploadSession, Waba
from tidings_simulator.world import Node, World

DONE = {"success": True}
_VERSION = re.compile(r"v[0-9]+\.[0-9]+")
_encode = msgspec.json.Encoder().encode

Result = dict[str, Any] | Response | Reset
Pending = Coroutine[Any, Any, dict[str, Any]]
Schedule = Callable[[list[tuple[datetime, CallbackEvent]]], None]


class Graph:
    """Handles requests to the Graph API."""

    def __init__(
        self,
        world: World,
        callback_sender: CallbackSender,
        plan: Schedule,
        *,
        windows_open: bool,
        review: Any,
    ) -> None:
        self.world = world
        self.address = ""  # set when the server listens
        self._postman = callback_sender
        self._plan = plan
        self._windows_open = windows_open
        self._review = review

    def handle(self, request: Request) -> Handled:
        try:
            result = self._answer(request)
        except GraphError as error:
            return self.refuse(error)
        if isinstance(result, dict):
            return self._json(result)
        if isinstance(result, Response | Reset):
            return result
        return self._wait(result)

    def refuse(self, error: GraphError) -> Response:
        trace = self.world.trace()
        body = error.body(trace)
        said = body["error"]["message"].replace('"', "'").replace("\n", " ")
        challenge = f'OAuth "Facebook Platform" "invalid_request" "{said}"'
        headers = (
            ("www-authenticate", challenge.encode("ascii", "replace").decode()),
            ("x-fb-trace-id", trace),
            *error.headers,
        )
        return Response(error.http_status, _encode(body), headers=headers)

    async def _wait(self, work: Pending) -> Response:
        try:
            return self._json(await work)
        except GraphError as error:
            return self.refuse(error)

    def _json(self, value: dict[str, Any]) -> Response:
        return Response(200, _encode(value))

    def _answer(self, request: Request) -> Result | Pending:
        parts = [part for part in request.path.split("/") if part]
        version = parts.pop(0) if parts and _VERSION.fullmatch(parts[0]) else ""
        if request.path == media.DOWNLOADS:
            require_token(self.world, request)
            return media.download(self.world, request)
        node = self._node(request, parts)
        edge = "/".join(parts[1:])
        handler = _ROUTES.get((type(node), edge, request.method))
        if handler is None:
            known = any(kind is type(node) and name == edge for kind, name, _ in _ROUTES)
            raise no_such_object(request.method, parts[0]) if known else unknown_path(edge)
        base = f"{self.address}/{version}" if version else self.address
        return handler(self, node, request, f"{base}/{'/'.join(parts)}")

    def _node(self, request: Request, parts: list[str]) -> Any:
        token = require_token(self.world, request)
        if not parts:
            raise GraphError(2500, message="Unknown path components: /", status=400)
        if parts[0] in ("app", self.world.app_id):
            return self.world
        node = self.world.nodes.get(parts[0])
        if node is None or not _has_access(token, node):
            raise no_such_object(request.method, parts[0])
        return node

    # Messages and template reviews

    def post_message(self, number: Number, request: Request, _address: str) -> Result:
        checked = check_message(self.world, number, request.body)
        if isinstance(checked, Response):
            return checked
        acceptance = accept(self.world, checked, windows_open=self._windows_open)
        self._plan(acceptance.callbacks)
        return acceptance.response

    def create_template(self, waba: Waba, request: Request, _address: str) -> Result:
        answer, template = templates.create(self.world, waba, request)
        self._put_review(template)
        return answer

    def edit_template(self, template: MessageTemplate, request: Request, _address: str) -> Result:
        templates.edit(self.world, template, request)
        self._put_review(template)
        return DONE

    def _put_review(self, template: MessageTemplate) -> None:
        if self._review is not None:
            at = self.world.clock.now() + self._review
            self._plan([(at, templates.review(template, at))])

    # Reading and writing objects

    def show_number(self, number: Number, request: Request, _address: str) -> Result:
        shown = show_number(number, self.world)
        return pick(shown, request.query.get("fields"), NUMBER_FIELDS)

    def list_numbers(self, waba: Waba, request: Request, address: str) -> Result:
        asked = request.query.get("fields")
        return page(
            self.world.numbers(waba),
            request.query,
            address,
            lambda number: pick(show_number(number, self.world), asked, NUMBER_FIELDS),
        )

    def unsubscribe(self, waba: Waba, _call: Request, _address: str) -> Result:
        waba.subscribed = False
        return DONE

    def delete_templates(self, waba: Waba, request: Request, _address: str) -> Result:
        templates.delete(self.world, waba, request)
        return DONE

    def unpause(self, template: MessageTemplate, _call: Request, _address: str) -> Result:
        if template.status != "PAUSED":
            return {"success": False, "reason": "The template is not paused"}
        template.status = "APPROVED"
        return DONE

    def delete_media(self, file: MediaFile, request: Request, _address: str) -> Result:
        media.require_own(self.world, file, request)
        self.world.remove(file)
        return DONE

    def subscribe(self, waba: Waba, request: Request, _address: str) -> Pending:
        return subscriptions.subscribe(self._postman, waba, request)

    def set_callback(self, _world: World, request: Request, _address: str) -> Pending:
        return subscriptions.set_callback(self._postman, request)


def object_id(path: str) -> str:
    """The object id in a path: 1055 in /v25.0/1055/messages."""
    parts = [part for part in path.split("/") if part]
    if parts and _VERSION.fullmatch(parts[0]):
        del parts[0]
    return parts[0] if parts else ""


def require_token(world: World, request: Request) -> str:
    """The request's access token; raises if it is missing or unknown."""
    scheme, _, token = request.header(b"authorization").partition(" ")
    if scheme.lower() not in ("bearer", "oauth"):
        token = request.query.get("access_token", "")
    if not token:
        raise unauthenticated(missing=True)
    if token not in world.tokens:
        raise unauthenticated(missing=False)
    return token


def _has_access(token: str, node: Node) -> bool:
    if isinstance(node, UploadSession):
        return True
    waba = node if isinstance(node, Waba) else node.waba
    return token == waba.access_token


Handler = Callable[[Graph, Any, Request, str], Result | Pending]
_ROUTES: dict[tuple[type, str, str], Handler] = {
    (Number, "messages", "POST"): Graph.post_message,
    (Number, "messages", "PUT"): Graph.post_message,
    (Number, "media", "POST"): lambda g, n, c, _: media.upload(g.world, n, c),
    (Number, "", "GET"): Graph.show_number,
    (Number, "", "POST"): lambda *_: DONE,
    (Number, "register", "POST"): lambda *_: DONE,
    (MediaFile, "", "GET"): lambda g, n, c, _: media.show(g.world, n, c, g.address),
    (MediaFile, "", "DELETE"): Graph.delete_media,
    (Waba, "", "GET"): lambda g, n, c, _: pick(show_waba(n), c.query.get("fields"), WABA_FIELDS),
    (Waba, "phone_numbers", "GET"): Graph.list_numbers,
    (Waba, "message_templates", "GET"): lambda g, n, c, a: templates.list_templates(
        g.world, n, c, a
    ),
    (Waba, "message_templates", "POST"): Graph.create_template,
    (Waba, "message_templates", "DELETE"): Graph.delete_templates,
    (Waba, "flows", "GET"): lambda g, n, c, a: flows.list_flows(g.world, n, c, a),
    (Waba, "flows", "POST"): lambda g, n, c, _: flows.create(g.world, n, c),
    (Waba, "subscribed_apps", "GET"): lambda g, n, _c, _a: subscriptions.show(g.world, n),
    (Waba, "subscribed_apps", "POST"): Graph.subscribe,
    (Waba, "subscribed_apps", "DELETE"): Graph.unsubscribe,
    (MessageTemplate, "", "GET"): lambda g, n, c, _: pick(
        show_template(n), c.query.get("fields"), TEMPLATE_FIELDS
    ),
    (MessageTemplate, "", "POST"): Graph.edit_template,
    (MessageTemplate, "unpause", "POST"): Graph.unpause,
    (Flow, "", "GET"): lambda g, n, c, _: pick(
        flows.show(n, g.world), c.query.get("fields"), FLOW_FIELDS
    ),
    (Flow, "", "POST"): lambda _g, n, c, _a: flows.update(n, c),
    (Flow, "", "DELETE"): lambda g, n, _c, _a: flows.delete(g.world, n),
    (Flow, "assets", "GET"): lambda _g, n, _c, a: flows.list_assets(n, a.removesuffix("/assets")),
    (Flow, "assets", "POST"): lambda _g, n, c, _a: flows.put_asset(n, c),
    (Flow, "json", "GET"): lambda _g, n, _c, _a: Response(200, n.json),
    (Flow, "publish", "POST"): lambda _g, n, _c, _a: flows.publish(n),
    (Flow, "deprecate", "POST"): lambda _g, n, _c, _a: flows.deprecate(n),
    (World, "subscriptions", "POST"): Graph.set_callback,
    (World, "uploads", "POST"): lambda _g, w, c, _a: media.begin_upload(w, c),
    (UploadSession, "", "POST"): lambda _g, n, c, _a: media.continue_upload(n, c),
    (UploadSession, "", "GET"): lambda _g, n, _c, _a: media.show_upload(n),
}
