"""Receive Tidings webhooks with Flask: each post is verified, each event is handled once."""

import os
import threading

from flask import Flask, request

from tidings_client import webhooks

SECRET = os.environ["TIDINGS_WEBHOOK_SECRET"]

app = Flask(__name__)
app.config["MAX_CONTENT_LENGTH"] = 1_000_000
seen: set[str] = set()  # a real program keeps them in its database, and commits them with the work
one_at_a_time = threading.Lock()  # the development server answers in threads


@app.post("/hooks")
def receive() -> tuple[str, int]:
    body = request.get_data()  # the raw bytes: request.json would not be what was signed
    try:
        event = webhooks.verify(body, request.headers, SECRET)
    except webhooks.WebhookVerificationError as refused:
        return refused.message, 400
    with one_at_a_time:
        if event.id not in seen:
            # An exception is answered with 500, and Tidings posts the event again. What takes
            # longer than a second or two belongs into a queue: the answer must come within ten.
            handle(event)
            seen.add(event.id)
    return "", 204


def handle(event: webhooks.Event) -> None:
    if event.type == "guest.confirmed":
        print(f"{event.data.from_} comes")
    print(f"handled {event.type} {event.id}", flush=True)
