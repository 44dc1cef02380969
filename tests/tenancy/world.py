"""An account with something of everything, and those who must not learn of it.

`owner` has an object of each kind whose id can be asked for. `foreign` is an account of another
organisation, `sibling` the live account of the owner's: both have a few things of their own. What a
person may see of another account would carry `MARK`, which stands in all that the owner wrote.
"""

import json
import random
import re
import string
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit
from uuid import UUID

from tests.support import demo_world
from tests.support.database import fresh_database
from tests.support.media import png, uploaded
from tests.support.platform import FakePlatform
from tests.support.portal import Visitor, signed_in
from tests.support.service import TestAccount, TestService
from tests.support.waiting import settle
from tidings.engine.db.tx import Tx
from tidings.features.people.sessions import find_session, open_session
from tidings.ids import ledger_ref
from tidings.platforms.sandbox.platform import Sandbox
from tidings.portal.tokens import SESSION

MARK = "Rosenzweig"  # in everything that the owner wrote
GUEST, STOPPED, SENDER = "972541110001", "972541110002", "972555000777"
LEDGER = "SELECT id FROM partner_ledger WHERE account_id = $1"
MESSAGES = 20  # as many as there are ways to name one that makes one's own
EMAIL, INVITED = "owner.person@example.com", "invited.person@example.com"
TERMS = 'partner = { ratePerMessage = "0.05", creditLimit = "1000.00", currency = "ILS" }\n'
SHARED = """
[[accounts.templates]]
name = "plain"
body = "Good morning"
[[accounts.templates]]
name = "invite"
body = "Will you come?"
buttons = [ { type = "QUICK_REPLY", text = "Yes" }, { type = "QUICK_REPLY", text = "No" } ]
[[accounts.templates]]
name = "code"
category = "AUTHENTICATION"
"""
OWNER = f"""
[[accounts]]
name = "owner"
environment = "sandbox"
organisation = "{MARK} Ltd"
requestsPerMinute = 1000000
replies = "guest"
{TERMS}
[[accounts.numbers]]
number = "{SENDER}"
{SHARED}
[[accounts.templates]]
name = "announced_at_ours"
body = "{MARK} invites you"
[[accounts.forms]]
id = "stay-at-ours"
title = "{MARK} asks"
approved = true
published = true
questions = [ {{ id = "q1", type = "rating", text = "How was {MARK}?" }} ]
[[accounts.invoices]]
number = "INV-7301"
kind = "PACKAGE"
lines = [ {{ description = "{MARK}", quantity = 1, unitPrice = "100.00" }} ]
issuedAt = "2026-01-01T00:00:00Z"
dueAt = "2036-01-01T00:00:00Z"
status = "OPEN"
[[accounts.invoices]]
number = "INV-7302"
kind = "PACKAGE"
lines = [ {{ description = "{MARK}", quantity = 1, unitPrice = "100.00" }} ]
issuedAt = "2026-01-02T00:00:00Z"
dueAt = "2036-01-01T00:00:00Z"
status = "OPEN"
[[accounts.forms]]
id = "second-stay"
title = "{MARK} asks again"
approved = true
published = true
questions = [ {{ id = "q1", type = "rating", text = "How was {MARK}?" }} ]
"""
FOREIGN = f"""
[[accounts]]
name = "foreign"
environment = "sandbox"
requestsPerMinute = 1000000
replies = "guest"
billingMode = "OFF"
{TERMS}
[[accounts.numbers]]
number = "972555000888"
{SHARED}
"""
SIBLING = f"""
[[accounts]]
name = "sibling"
environment = "live"
organisation = "{MARK} Ltd"
requestsPerMinute = 1000000
billingMode = "OFF"
{TERMS}
[[accounts.numbers]]
number = "972555000999"
phoneNumberId = "105500000000001"
wabaId = "2055"
accessToken = "token-of-the-sibling"
"""


def event(event_id: str, mark: str) -> dict[str, Any]:
    """A body of POST /events."""
    texts = {"invalidReply": "yes or no?", "nudge": "coming?", "expired": "closed."}
    return {
        "eventId": event_id,
        "eventDate": "2027-06-01T18:00:00Z",
        "callbackUrl": "http://127.0.0.1:9/hook",  # nobody listens there
        "texts": {name: f"{mark}: {text}" for name, text in texts.items()},
    }


@dataclass
class World:
    service: TestService
    owner: TestAccount
    foreign: TestAccount
    sibling: TestAccount
    ids: dict[str, str] = field(default_factory=dict)  # the owner's, by kind
    link: dict[str, dict[str, str]] = field(default_factory=dict)  # signatures of media, by account

    visitors: dict[str, Visitor] = field(default_factory=dict)  # people in the portal

    def cursor(self, path: str) -> str:
        """The owner's, after the first of this list."""
        answer = self.owner.get(path.format(eventId=self.ids["event"]), params={"limit": 1})
        assert answer.status_code == 200, answer.text
        cursor: str | None = answer.json()["nextCursor"]
        assert cursor is not None, f"the owner has too little at {path}"
        return cursor


def start(folder: Path, clock: Any) -> TestService:
    platforms = {"sandbox": Sandbox(), "live": FakePlatform()}
    return TestService(fresh_database(), folder, clock=clock, platforms=platforms)


def build(service: TestService) -> World:
    made = service.apply(OWNER + FOREIGN + SIBLING)
    owner, foreign, sibling = (TestAccount(service, one) for one in made)
    world = World(service, owner, foreign, sibling)
    for account in (owner, foreign):
        _work(account, world)
    _write(world)
    _finish(world)
    _let_people_in(world)
    return world


def _work(account: TestAccount, world: World) -> None:
    """A sent message, an event with a guest who came, and a photo."""
    is_owner = account is world.owner
    name, guest, mark = ("gala", GUEST, MARK) if is_owner else ("fair", "972549990001", "Fair")
    for count in (10, 20, 30, 40, 50, 60) if is_owner else (70,):
        _ok(account.post("/partner/topups", {"messages": count}))
    _ok(account.post("/events", event(f"{name}-evening", mark)))
    _ok(account.send(clientMessageId=f"{name}-invite-02", to=f"{guest[:-2]}77", kind="invitation",
                     templateName="invite", eventId=f"{name}-evening"))  # fmt: skip
    _ok(account.send(clientMessageId=f"{name}-invite-01", to=guest, templateName="invite",
                     kind="invitation", eventId=f"{name}-evening"))  # fmt: skip
    account.reply(guest, "Yes, 3 of us")
    photo = {"type": "image", "caption": mark}
    _ok(account.post("/sandbox/v1/replies", {"from": guest, "media": photo}))
    for reference in (f"bank-{name}-1", f"bank-{name}-2"):
        _ok(account.post("/partner/transfers", {"amount": 5.0, "reference": reference}))


def _write(world: World) -> None:
    """One object of each kind."""
    owner, ids = world.owner, world.ids
    items = [{"clientMessageId": f"batch-item-{n}", "to": f"9725411177{n:02}",
              "templateName": "plain"} for n in range(3)]  # fmt: skip
    ids["batch"] = _ok(owner.post("/messages/bulk", {"batchName": MARK, "messages": items}))[
        "batchId"
    ]
    for n in range(MESSAGES):
        _ok(owner.send(clientMessageId=f"gala-thanks-{n:02}", to=f"9725411188{n:02}",
                       templateName="plain"))  # fmt: skip
    second = [one | {"clientMessageId": f"second-{one['to']}"} for one in items]
    _ok(owner.post("/messages/bulk", {"batchName": MARK, "messages": second}))
    ids["media"] = uploaded(owner, png(3, 5), filename=f"{MARK}.png")
    ids["link"] = _ok(owner.post("/links", {"url": f"https://example.com/{MARK}",
                                            "eventId": "gala-evening"}))["code"]  # fmt: skip
    _ok(owner.post("/links", {"url": f"https://example.com/{MARK}/2"}))
    _ok(owner.post("/feedback/send", {"formId": "stay-at-ours", "to": GUEST,
                                      "clientMessageId": "asked-form-01"}))  # fmt: skip
    _ok(owner.post("/events", event("gala-morning", MARK)))
    for guest in (STOPPED, "972541110003", "972541110004"):
        owner.reply(guest, "STOP")
    ids |= {
        "message": "gala-invite-01", "event": "gala-evening", "form": "stay-at-ours",
        "form message": "asked-form-01", "invoice": "INV-7301", "sender": SENDER, "guest": GUEST,
        "stopped": STOPPED, "stopped too": "972541110003", "invitation": "gala-invite-01",
        "template": "announced_at_ours", "reference": "bank-gala-1",
        "account": str(owner.id), "account hex": owner.id.hex, "invited": INVITED, "email": EMAIL,
    }  # fmt: skip


def _finish(world: World) -> None:
    """What the API does not name: rows' own ids, and links with signatures."""
    service, owner, ids = world.service, world.owner, world.ids
    for account in (owner, world.foreign):
        quieten(account)
        service.sql("UPDATE webhooks SET failed_at = now(), state = 'failed' WHERE account_id = $1"
                    " RETURNING id", account.id)  # fmt: skip
        urls = [event["data"].get("mediaUrl") for event in account.events()]
        [url] = {one for one in urls if one}
        parts = urlsplit(url)
        own = dict(parse_qsl(parts.query)) | {"id": parts.path.rpartition("/")[2]}
        world.link["owner" if account is owner else "foreign"] = own
    service.sql("DELETE FROM jobs WHERE pool = 'webhooks' RETURNING id")  # nothing is retried
    service.call(service.service.recorder.flush)
    ids |= {
        "webhook": owner.events()[-1]["id"],
        "inbound": world.link["owner"]["id"],
        "draft": demo_world.uploaded_draft(owner, "plain"),
        "key": _one(world, "SELECT id FROM api_keys WHERE account_id = $1"),
        "key prefix": _one(world, "SELECT prefix FROM api_keys WHERE account_id = $1"),
        "request": f"req_{_one(world, 'SELECT id FROM request_log WHERE account_id = $1').hex}",
        "entry": ledger_ref(_one(world, LEDGER)),
        "second entry": ledger_ref(_one(world, f"{LEDGER} AND kind <> 'TOPUP'")),
        "audit": _one(world, "SELECT id FROM audit_log WHERE account_id = $1"),
    }
    world.ids = {kind: str(value) for kind, value in ids.items()}


def _let_people_in(world: World) -> None:
    """An owner for each account, nobody, and an operator; and what the owner's person has."""
    world.visitors = {
        "owner": signed_in(world.owner), "foreign": signed_in(world.foreign),
        "sibling": signed_in(world.sibling), "nobody": Visitor(world.service),
        "operator": signed_in(world.owner, operator=True),
    }  # fmt: skip
    world.visitors["nobody"].get("/sign-in")  # has its cookie from now on
    owner = world.visitors["owner"]
    invite = {"email": INVITED, "role": "viewer", "csrf": owner.get("/people").csrf}
    assert owner.raw("POST", "/people/invite", data=invite).status_code == 200
    colleague = _person(world, signed_in(world.owner, "viewer"))  # whom the owner may remove
    world.service.sql("UPDATE people SET email = $2 WHERE id = $1 RETURNING id", colleague, EMAIL)
    person = _person(world, owner)
    [actor] = world.service.sql("SELECT email FROM people WHERE id = $1", person)
    world.ids |= {
        "person": str(colleague),
        "session": str(world.service.transact(lambda tx: _second_session(tx, person))),
        "actor": actor["email"],
    }


def _person(world: World, visitor: Visitor) -> UUID:
    token = visitor.http.cookies[SESSION]
    session = world.service.transact(lambda tx: find_session(tx, token))
    assert session is not None
    return session.person.id


async def _second_session(tx: Tx, person_id: UUID) -> UUID:
    token = await open_session(tx, person_id, address="127.0.0.1", user_agent="test")
    session = await find_session(tx, token)
    assert session is not None
    return session.id


def quieten(account: TestAccount) -> None:
    """Until nothing is left to happen by itself: simulated phones have received and read."""
    clock = account.get("/sandbox/v1/clock")
    if clock.status_code == 200:
        account.advance(hours=1)
    settle(account, "otp", "send", "timers", "webhooks")


def _one(world: World, query: str) -> Any:
    [row] = world.service.sql(f"{query} ORDER BY 1 LIMIT 1", world.owner.id)
    return row[0] if isinstance(row, list) else next(iter(row.values()))


def _ok(answer: Any) -> dict[str, Any]:
    assert answer.status_code in (200, 201, 202), answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


# Ids that nothing has

_CLASSES = (string.digits, "abcdef", string.ascii_lowercase, "ABCDEF", string.ascii_uppercase)
_ALTERED = 6
_random = random.Random(17)


def alike(value: str) -> str:
    """An id of the same form that nothing has: its last signs are others of their kinds."""
    start = value.partition("@")[0] if "@" in value else value
    places = [n for n, sign in enumerate(start) if sign.isalnum()][-_ALTERED:]
    signs = list(value)
    while "".join(signs) == value:
        for place in places:
            known = next(one for one in _CLASSES if value[place] in one)
            signs[place] = _random.choice(known)
    return "".join(signs)


def alike_cursor(cursor: str) -> str:
    """A cursor of the same place in time, after something that does not exist."""
    key = json.loads(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    return urlsafe_b64encode(json.dumps(_alike_key(key)).encode()).decode().rstrip("=")


def _alike_key(key: Any) -> Any:
    if isinstance(key, list):
        return [_alike_key(part) for part in key]
    if isinstance(key, int):
        return key + 1
    is_time = re.match(r"\d{4}-\d\d-\d\dT", key)
    return key if is_time else alike(key)
