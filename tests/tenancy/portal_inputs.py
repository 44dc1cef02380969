"""What every page and form of the portal is asked with, where it names something of an account.

Addresses follow from the table of pages. The names of fields and filters are read from the sources
of the pages: a name that is neither in a row nor in `PLAIN` makes the test of the matrix fail, and
so does an address whose parameter has no kind.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.support.house_rules import FILES, ROOT
from tests.support.parsing import parse
from tidings.portal.page import Route, routes_of
from tidings.portal.pages import PAGES

ROUTES = [route for page in PAGES for route in routes_of(page)]
ASKED = "<asked>"  # where a row names what is asked for
NEW, NEW_ENTRY = "<new>", "<new entry>"  # what no request before had
OPERATOR = "/portal/operator"  # of the installation's operators, who see all accounts

# Parameters of addresses, by name, or by "path name".
PARAMETERS = {
    "cid": "message", "batchId": "batch", "draft": "draft", "eventId": "event", "formId": "form",
    "code": "link", "webhookId": "webhook", "requestId": "request", "number": "invoice",
    "/portal/optouts/{number}/remove number": "stopped too", "/portal/media/{id} id": "media",
    "id": "account", "phone": "sender", "template": "template",
}  # fmt: skip

_EVENT = {
    "date": "2027-06-01T18:00", "callback_url": "http://127.0.0.1:9/hook",
    "invalid_reply": "Yes or no?", "nudge": "Coming?", "expired": "Closed.",
}  # fmt: skip
_LATER = _EVENT | {"date": "2027-07-01T18:00"}
_FORM = {"title": "A stay", "language": "en", "questions": "1", "q1.type": "rating",
         "q1.id": "q1", "q1.text": "How was it?"}  # fmt: skip
# What is posted to an address that names something.
POSTED: dict[str, list[dict[str, str]]] = {
    "/portal/batches/{batchId}/cancel": [{}, {"confirmed": "yes"}],
    "/portal/batches/new/{draft}": [{"number": "1", "id": "0"}],
    "/portal/batches/new/{draft}/check": [{}],
    "/portal/events/{eventId}/edit": [{}, _EVENT | {"confirmed": "yes"}],
    "/portal/events/{eventId}/answer": [{"answer": "yes", "to": "972541110077"}],
    "/portal/forms/{formId}": [_FORM | {"do": "save"}, _FORM | {"do": "release"}],
    "/portal/links/{code}": [{}, {"confirmed": "yes"}],
    "/portal/optouts/{number}/remove": [
        {}, {"confirmed": "yes", f"reason-{ASKED}": "asked by phone"}
    ],
}  # fmt: skip


@dataclass(frozen=True)
class Row:
    """A request that names one thing of this kind, at `ASKED`. `silent`: its owner learns nothing
    from the answer either. `undo` takes back what such a request has made, before the next."""

    method: str
    path: str
    kind: str
    query: dict[str, str] = field(default_factory=dict)
    form: dict[str, str] = field(default_factory=dict)
    silent: bool = False
    undo: str = ""

    @property
    def title(self) -> str:
        return f"{self.method} {self.path} {self.kind} {self.query or ''}{self.form or ''}"


def looked_at(path: str, kind: str, name: str) -> Row:
    return Row("GET", f"/portal{path}", kind, {name: ASKED})


def posted(path: str, kind: str, *, silent: bool = False, undo: str = "", **form: str) -> Row:
    return Row("POST", f"/portal{path}", kind, {}, form, silent, undo)


_KEYS = "DELETE FROM api_keys WHERE name = 'mine' RETURNING id"
_INVITED = "DELETE FROM welcome_links WHERE role = 'viewer' AND email <> $1 RETURNING id"
# Filters and fields that name something.
FIELDS = [
    looked_at("/messages", "message", "search"), looked_at("/messages", "batch", "search"),
    looked_at("/messages", "guest", "search"), looked_at("/messages", "event", "eventId"),
    looked_at("/messages", "batch", "batchId"), looked_at("/messages.csv", "event", "eventId"),
    looked_at("/messages.csv", "batch", "batchId"), looked_at("/messages.csv", "guest", "search"),
    looked_at("/links", "event", "event"), looked_at("/requests", "request", "id"),
    looked_at("/requests", "key prefix", "key"), looked_at("/phone", "guest", "number"),
    looked_at("/phone", "form message", "form"), looked_at("/optouts", "stopped", "number"),
    looked_at("/privacy", "guest", "number"), looked_at("/", "message", "sent"),
    looked_at("/templates", "template", "search"), looked_at("/templates", "template", "name"),
    looked_at("/audit", "actor", "who"), looked_at("/audit", "audit", "before"),
    looked_at("/requests", "request", "before"), looked_at("/requests", "request", "after"),
    posted("/privacy/export", "guest", number=ASKED),
    posted("/people/invite", "email", email=ASKED, role="viewer", undo=_INVITED),
    posted("/keys", "key", action="revoke", key=ASKED),
    posted("/keys", "key", action="rotate", key=ASKED, overlap="1"),
    posted("/keys", "key", action="create", key=ASKED, name="mine", undo=_KEYS),
    posted("/webhooks", "webhook", action="retry", id=ASKED),
    posted("/switch", "account", account=ASKED, next="/portal/"),
    posted("/people/role", "person", person=ASKED, to="viewer"),
    posted("/people/remove", "person", person=ASKED),
    posted("/people/remove", "person", person=ASKED, confirmed="yes"),
    posted("/people/withdraw", "invited", invited=ASKED, silent=True),
    posted("/people/sessions/end", "session", session=ASKED),
    posted("/partner", "entry", act="topup", entryId=ASKED, messages="11"),
    posted("/partner", "second entry", act="transfer", entryId=ASKED, amount="5", reference=NEW),
    posted("/partner", "reference", act="transfer", reference=ASKED, amount="5",
           entryId=NEW_ENTRY),
    posted("/phone/reply", "guest", number=ASKED, reply="Yes", silent=True),
    posted("/phone/tap", "invitation", number="972541110001", message=ASKED, text="Yes"),
    posted("/phone/form", "form message", number="972541110001", form=ASKED),
    posted("/phone/photo", "guest", number=ASKED, caption="us", silent=True),
    posted("/phone/stop", "guest", number=ASKED, silent=True),
    posted("/phone/clock", "guest", number=ASKED, advance="1", unit="minutes", silent=True),
    posted("/", "message", clientMessageId=ASKED, to="972541110001", silent=True),
    posted("/events/new", "event", event_id=ASKED, **_LATER),
    posted("/events/new", "sender", event_id="of-the-visitor", sent_from=ASKED, **_EVENT),
    posted("/events/fair-evening/answer", "guest", answer="yes", to=ASKED),
    posted("/batches/new", "template", template=f"{ASKED}/en"),
    posted("/privacy/erase", "guest", number=ASKED, silent=True),
    posted("/privacy/erase", "guest", number=ASKED, confirmed="yes", silent=True),
]  # fmt: skip

# Names that are of nothing: choices, texts, times, amounts, and places in a list.
PLAIN = {
    "action", "act", "advance", "amount", "answer", "back", "body", "caption", "code", "cursor",
    "days", "do", "headers", "kind", "language", "messages", "next", "note", "overlap", "password",
    "payload", "present", "reply", "resend", "role", "secret", "seen", "since", "state", "status",
    "text", "to", "token", "transferDate", "type", "unit", "webhookUrl", "organisation",
    "from", "path", "csrf", "confirmed", "title", "button", "questions", "secondOpinion",
    "keepReadings",
}  # fmt: skip
_AREAS = ("tidings/portal/operator/", "tidings/portal/entry/")  # see OPERATOR; not yet anybody


def rows() -> list[Row]:
    """Reads first, and what makes or ends something last."""
    by_address, by_field = list(_of_addresses()), [row for row in FIELDS if row.method == "POST"]
    reads = [row for row in (*by_address, *FIELDS) if row.method == "GET"]
    acts = [row for row in by_address if row.method == "POST"]
    return [*reads, *sorted(acts, key=lambda row: "confirmed" in row.form), *by_field]


def _of_addresses() -> Iterator[Row]:
    """For each parameter; the others of the address are the owner's too."""
    for route in ROUTES:
        for name in re.findall(r"{(\w+)}", route.path):
            if name == "language":  # of a template, which has been named before
                continue
            path = route.path.replace(f"{{{name}}}", ASKED)
            for form in _forms_of(route):
                yield Row(route.method, path, kind_of(route.path, name), {}, form)


def kind_of(path: str, name: str) -> str:
    kind = PARAMETERS.get(f"{path} {name}", PARAMETERS.get(name))
    assert kind is not None, f"{path}: what does {name} name? Add it to PARAMETERS"
    return kind


def _forms_of(route: Route) -> list[dict[str, str]]:
    if route.method == "GET" or route.path.startswith(OPERATOR):
        return [{}]
    assert route.path in POSTED, f"{route.path}: what is posted there? Add it to POSTED"
    return POSTED[route.path]


def unclassified_names() -> list[str]:
    """Names that a page reads from a form or an address, and that nothing here mentions."""
    known = {name for row in rows() for name in (*row.query, *row.form)} | PLAIN
    return [
        f"{path} reads {name}"
        for path in FILES
        if path.startswith("tidings/portal/") and not path.startswith(_AREAS)
        for name in sorted(_names_read((ROOT / path).read_text()) - known)
    ]


def _names_read(source: str) -> set[str]:
    """`visit.form["a"]`, `visit.form.raw("a")`, `visit.query.get("a")` and the like."""
    found = set()
    for node in ast.walk(parse(source)):
        if isinstance(node, ast.Subscript):
            owner, keys = node.value, [node.slice]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            owner, keys = node.func.value, node.args[:1]
        else:
            continue
        if isinstance(owner, ast.Attribute) and owner.attr in ("form", "query"):
            found |= {
                key.value
                for key in keys
                if isinstance(key, ast.Constant) and isinstance(key.value, str) and key.value
            }
    return found
