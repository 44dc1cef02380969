"""The customer's webhook receiver: which bodies came for each id, and in which order."""

import hashlib
import threading
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import msgspec
from aiohttp import web

from tests.support.threaded import ThreadedSite


class WebhookRecord(ThreadedSite):
    """It keeps digests, since a long run posts some hundred thousand webhooks."""

    def __init__(self) -> None:
        super().__init__()
        self.bodies: dict[str, set[bytes]] = defaultdict(set)  # by webhook id
        self.posts = 0
        # By clientMessageId: status and attempt, in the order in which they first came.
        self.statuses: dict[str, dict[str, int]] = defaultdict(dict)
        self._lock = threading.Lock()

    def _routes(self) -> Iterable[web.RouteDef]:
        return [web.post("/hook", self._receive)]

    async def _receive(self, request: web.Request) -> web.Response:
        body = await request.read()
        event: dict[str, Any] = msgspec.json.decode(body)
        attempt = int(request.headers["X-Delivery-Attempt"])
        with self._lock:
            self.posts += 1
            self.bodies[request.headers["X-Webhook-Id"]].add(hashlib.sha256(body).digest())
            if event["type"] == "message.status":
                data = event["data"]
                self.statuses[data["clientMessageId"]].setdefault(data["status"], attempt)
        return web.Response()
