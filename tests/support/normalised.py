"""The events of two worlds, made comparable: ids and times are replaced by placeholders. Pure."""

import re
from collections import defaultdict
from typing import Any

_FORMS = [
    (re.compile(r"wamid\.[\w-]+"), "<wamid>"),
    (re.compile(r"(whk|bat|acc)_\w+"), r"<\1>"),
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
_FILE_ID = re.compile(r"\d{12,18}$|med_")  # the platform has ids of its own
_DROPPED = {"from_user_id"}  # the sandbox gives people no ids of the platform's own


def normalised(value: Any, name: str = "") -> Any:
    if isinstance(value, dict):
        if str(value.get("mimetype")).startswith("image/"):
            value = value | {"filename": None}  # a photo arrives without its name
        return {
            normalised(key): normalised(each, key)
            for key, each in value.items()
            if key not in _DROPPED
        }
    if isinstance(value, list):
        return [normalised(each, name) for each in value]
    if name in _BY_NAME:
        return _BY_NAME[name]
    if name in ("id", "mediaId") and isinstance(value, str) and _FILE_ID.match(value):
        return "<file>"
    if isinstance(value, str):
        for form, instead in _FORMS:
            value = form.sub(instead, value)
    return value


# How far a batch has come when progress is published depends on timing.
_OF_THE_MOMENT = {"delivered", "read"}


def by_message(events: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """In order per message; the order between two messages is not significant."""
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for event in events:
        data = event["data"]
        if event["type"] == "batch.progress":
            continue
        if event["type"] == "batch.completed":
            data = {key: each for key, each in data.items() if key not in _OF_THE_MOMENT}
        key = data.get("clientMessageId") or data.get("from") or event["type"]
        found[str(key)].append(event | {"data": data})
    return dict(found)


def without_rhythm(seen: dict[str, Any]) -> dict[str, Any]:
    """Without the attempts in between and their effect on the number's health."""
    for message in seen["messages"].values():
        steps = [(step["status"], step.get("reason")) for step in message["data"]["timeline"]]
        outcomes = [(one["outcome"], one.get("code")) for one in message["data"]["attempts"]]
        message["data"] |= {"timeline": list(dict.fromkeys(steps))}
        message["data"] |= {"attempts": list(dict.fromkeys(outcomes))}
    seen["events"].pop("sender.health", None)
    return seen


def differences(one: Any, other: Any, path: str = "") -> list[str]:
    """Where they differ: `path: this != that`."""
    if isinstance(one, dict) and isinstance(other, dict):
        keys = [*one, *(key for key in other if key not in one)]
        pairs = [(key, one.get(key, _NOTHING), other.get(key, _NOTHING)) for key in keys]
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = [(n, mine, its) for n, (mine, its) in enumerate(zip(one, other, strict=True))]
    else:
        return [] if one == other else [f"{path}: {one!r} != {other!r}"]
    return [line for key, a, b in pairs for line in differences(a, b, f"{path}/{key}")]


_NOTHING = "<nothing>"
