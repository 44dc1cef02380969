"""A page for every kind of event: when it is posted, its fields, an example. Pure."""

import json
from collections.abc import Iterator

from tidings.features.webhooks.event_kinds import EventKind
from tidings.features.webhooks.event_page import field_rows
from tidings.guide import interface
from tidings.routes import EVENTS

FOLDER = "events"


def kinds() -> dict[str, EventKind]:
    return {kind.name: kind for kind in EVENTS}


def index() -> str:
    return "\n".join(
        [
            "# Events\n",
            "Everything that happens to your messages, guests, batches, numbers and forms is "
            "posted to your server as a signed event. [Webhooks](/guide/webhooks) says how they "
            "are signed, tried again and caught up with.\n",
            "| event | when |",
            "|---|---|",
            *(f"| [`{kind.name}`](/guide/events/{kind.name}) | {kind.when} |" for kind in EVENTS),
            "\n## What every event has\n",
            "| field | type | meaning |",
            "|---|---|---|",
            *(row for row in _rows(EVENTS[0]) if "`data" not in row),
            "\nFields may be added to an event; none will be taken away.",
            "\n## Get an example\n",
            "`tidings trigger KIND` posts the example of a kind to you, signed; so do "
            "`POST /sandbox/v1/webhooks` and the portal's page Webhooks.\n",
        ]
    )


def page(kind: EventKind) -> str:
    return "\n".join(
        [
            f"# {kind.name}\n",
            f"{kind.when}\n",
            "## Example\n",
            f"```json\n{json.dumps(kind.example_body(), indent=2)}\n```\n",
            "## Fields of `data`\n",
            "| field | type | meaning |",
            "|---|---|---|",
            *_data_rows(kind),
            "\nThe fields around `data` are the same for [every event](/guide/events).\n",
            "## Get one\n",
            f"```sh\ntidings trigger {kind.name}\n```\n",
            "It is posted to the account's webhook address with a signature that "
            "[your code can verify](/guide/webhooks#verify-the-signature).\n",
        ]
    )


def _data_rows(kind: EventKind) -> Iterator[str]:
    for row in _rows(kind):
        if row.startswith("| `data."):
            yield row.replace("| `data.", "| `", 1)


def _rows(kind: EventKind) -> Iterator[str]:
    document = interface.document()
    content = document["webhooks"][kind.name]["post"]["requestBody"]["content"]
    schema = content["application/json"]["schema"]
    yield from field_rows(schema, document["components"]["schemas"])
