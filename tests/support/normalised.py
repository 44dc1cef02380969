"""What two worlds told, made comparable: ids and times are replaced by what they are. Pure."""

import re
from collections import defaultdict
from typing import Any

_FORMS = [
    (re.compile(r"wamid\.[\w-]+"), "<wamid>"),
    (re.compile(r"(whk|bat|acc|med)_\w+"), r"<\1>"),
    (re.compile(r"^\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)$"), "<time>"),
    (re.compile(r"(/media/inbound/)\S+"), r"\1<signed>"),
    (re.compile(r"(/r/)\w{12}"), r"\1<code>"),
    # The live platform explains itself in words of its own.
    (re.compile(r" The platform says: .*"), ""),
]
_BY_NAME = {
    "environment": "<environment>",
    "accountId": "<account>",
    "requestId": "<request>",
    "timestamp": "<seconds>",  # the platform's, in `raw`
}
_DROPPED = {"from_user_id"}  # the sandbox gives people no ids of the platform's own


def normalised(value: Any, name: str = "") -> Any:
    if isinstance(value, dict):
        return {
            normalised(key): normalised(each, key)
            for key, each in value.items()
            if key not in _DROPPED
        }
    if isinstance(value, list):
        return [normalised(each, name) for each in value]
    if name in _BY_NAME:
        return _BY_NAME[name]
    if isinstance(value, str):
        for form, instead in _FORMS:
            value = form.sub(instead, value)
    return value


def by_message(events: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """In their order, for each message: which of two messages is told of first says nothing."""
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for event in events:
        data = event["data"]
        key = data.get("clientMessageId") or data.get("from") or event["type"]
        found[str(key)].append(event)
    return dict(found)
