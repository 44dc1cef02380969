"""Receive Tidings webhooks with FastAPI: each post is verified, each event is handled once."""

import os

from fastapi import FastAPI, Request
from fastapi.responses import PlainTextResponse, Response

from tidings_client import webhooks

SECRET = os.environ["TIDINGS_WEBHOOK_SECRET"]

app = FastAPI()
seen: set[str] = set()  # a real program keeps them in its database, and commits them with the work


@app.post("/hooks")
async def receive(request: Request) -> Response:
    body = await request.body()  # the raw bytes: a model as the parameter would lose them
    try:
        event = webhooks.verify(body, request.headers, SECRET)
    except webhooks.WebhookVerificationError as refused:
        return PlainTextResponse(refused.message, 400)
    if event.id not in seen:
        # An exception is answered with 500, and Tidings posts the event again. What takes longer
        # than a second or two belongs into a queue: the answer must come within ten.
        handle(event)
        seen.add(event.id)
    return Response(status_code=204)


def handle(event: webhooks.Event) -> None:
    if event.type == "guest.confirmed":
        print(f"{event.data.from_} comes")
    print(f"handled {event.type} {event.id}", flush=True)
