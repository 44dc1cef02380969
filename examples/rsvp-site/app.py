"""A party's page: invite people, and watch their answers come in."""

import asyncio
import json
import os
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, PlainTextResponse, Response, StreamingResponse
from pydantic import BaseModel

from tidings_client import AsyncTidings, TidingsError, webhooks

EVENT, DATE, DAY = "garden-party", "2030-06-01T18:00:00Z", "1 June"
SECRET = os.environ["TIDINGS_WEBHOOK_SECRET"]
CALLBACK = os.environ.get("CALLBACK_URL", "https://example.com/hooks")  # of this page's /hooks
TEXTS = {
    "invalid_reply": "Sorry, is that a yes or a no?",
    "nudge": "We would love to know: will you come?",
    "expired": "The list is closed. Please call us.",
}
ANSWERS = {"guest.confirmed": "yes", "guest.declined": "no", "guest.replied_invalid": "unclear"}

db = sqlite3.connect(os.environ.get("DATABASE", "rsvp.db"), isolation_level=None)
db.execute(
    """CREATE TABLE IF NOT EXISTS guests (number TEXT PRIMARY KEY, name TEXT NOT NULL,
       state TEXT NOT NULL DEFAULT 'invited', people INTEGER, answered_at TEXT DEFAULT '')"""
)
tidings = AsyncTidings()  # TIDINGS_API_KEY and TIDINGS_URL
listeners: set[asyncio.Event] = set()  # one for each open page


@asynccontextmanager
async def lifespan(_: FastAPI) -> AsyncIterator[None]:
    # Registering the same event again changes nothing, so it is done at every start.
    await tidings.events.create(event_id=EVENT, event_date=DATE, callback_url=CALLBACK, texts=TEXTS)
    yield
    await tidings.aclose()


app = FastAPI(lifespan=lifespan)


class Guest(BaseModel):
    name: str
    number: str


@app.get("/")
def page() -> Response:
    return FileResponse(Path(__file__).with_name("page.html"))


@app.post("/guests")
async def invite(guest: Guest) -> Response:
    try:
        sent = await tidings.messages.send_text(
            to=guest.number, kind="invitation", event_id=EVENT, template_name="invite",
            template_params=[guest.name, DAY], client_message_id=f"{EVENT}-{guest.number}",
        )  # fmt: skip
    except TidingsError as error:
        return PlainTextResponse(f"{error.message}. {error.action}", 400)
    if sent.error is not None:
        return PlainTextResponse(f"{sent.error.explanation} {sent.error.action}", 400)
    db.execute("INSERT OR IGNORE INTO guests VALUES (?, ?, 'invited', NULL, '')",
               (guest.number, guest.name))  # fmt: skip
    update_pages()
    return Response(status_code=204)


@app.post("/hooks")
async def receive(request: Request) -> Response:
    try:
        event = webhooks.verify(await request.body(), request.headers, SECRET)
    except webhooks.WebhookVerificationError as refused:
        return PlainTextResponse(refused.message, 400)
    if event.type in ANSWERS:
        # An event may come twice, or after a later one: the newest answer stays.
        at = event.data.received_at.isoformat()
        db.execute(
            """UPDATE guests SET state = ?, people = ?, answered_at = ?
               WHERE number = ? AND answered_at < ?""",
            (ANSWERS[event.type], event.data.guests, at, event.data.to, at),
        )
        update_pages()
    return Response(status_code=204)


@app.get("/live")
def live() -> Response:
    return StreamingResponse(guest_lists(), media_type="text/event-stream")


async def guest_lists() -> AsyncIterator[str]:
    """The list of guests, now and whenever it changes."""
    changed = asyncio.Event()
    listeners.add(changed)
    try:
        while True:
            changed.clear()
            rows = db.execute("SELECT name, number, state, people FROM guests ORDER BY name")
            yield f"data: {json.dumps(rows.fetchall())}\n\n"
            await changed.wait()
    finally:
        listeners.discard(changed)


def update_pages() -> None:
    for changed in listeners:
        changed.set()
