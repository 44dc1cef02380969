"""A first message to try an account with: what the button sends is what the samples show. Pure."""

from datetime import datetime, timedelta
from typing import Any

import msgspec

from tidings import times
from tidings.features.accounts.model import Account
from tidings.features.templates.model import Template
from tidings.features.templates.passcodes import CATEGORY

FIRST_NUMBER = "972501234567"
VALUES = ("Dana", "Sunday", "19:00", "the garden")
ANSWER_WITHIN = timedelta(days=3)
_FREE_HEADERS = (None, "TEXT")  # others need a file
KEY = "$KEY"


def choose_template(account: Account, templates: list[Template]) -> Template | None:
    """The account's default before others, one with reply buttons before one without; None: it has
    no template that takes only text."""
    fitting = [
        one
        for one in templates
        if one.usable and one.category != CATEGORY and one.header in _FREE_HEADERS
    ]
    return min(
        fitting,
        key=lambda one: (one.name != account.default_template, not one.replies, one.name),
        default=None,
    )


def body(template: Template, client_message_id: str, to: str, now: datetime) -> dict[str, Any]:
    """Of POST /messages/text. With reply buttons it is an invitation: its answer is understood."""
    made: dict[str, Any] = {
        "clientMessageId": client_message_id,
        "to": to,
        "templateName": template.name,
        "templateLang": template.language,
    }
    if template.variables:
        made["templateParams"] = [
            VALUES[index % len(VALUES)] for index in range(template.variables)
        ]
    if template.replies:
        made |= {"kind": "invitation", "expiresAt": times.to_wire(now + ANSWER_WITHIN)}
    return made


def curl(url: str, key: str, body: dict[str, Any]) -> str:
    shown = msgspec.json.format(msgspec.json.encode(body), indent=2).decode()
    return (
        f"curl {url}/api/v1/messages/text \\\n"
        f'  -H "x-api-key: {key}" \\\n'
        '  -H "content-type: application/json" \\\n'
        f"  -d '{_quoted(shown)}'"
    )


def python(url: str, key: str, body: dict[str, Any]) -> str:
    fields = "".join(f"    {_json(name)}: {_json(value)},\n" for name, value in body.items())
    return (
        "import json, urllib.request\n\n"
        f"message = {{\n{fields}}}\n"
        "request = urllib.request.Request(\n"
        f'    "{url}/api/v1/messages/text",\n'
        "    data=json.dumps(message).encode(),\n"
        f'    headers={{"x-api-key": "{key}", "content-type": "application/json"}},\n'
        ")\n"
        "print(urllib.request.urlopen(request).read().decode())"
    )


def _json(value: Any) -> str:
    """Of texts and lists of texts, also Python."""
    return msgspec.json.encode(value).decode()


def _quoted(text: str) -> str:
    """Inside single quotes of a shell."""
    return text.replace("'", "'\\''")
