"""Every kind of body that the platform's own examples show is taken by the Graph simulator.

The examples are ours, in the shapes of the platform's published collection of requests.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.simulator.test_flows import create, flow, put
from tests.simulator.test_messages import GUEST, upload
from tests.support.simulator import RunningSimulator
from tidings_simulator.plan import DEFAULT, ButtonSpec, Plan, TemplateSpec

FOLDER = Path(__file__).parent / "examples"
MESSAGES: list[dict[str, Any]] = json.loads((FOLDER / "messages.json").read_text())
TEMPLATES: list[dict[str, Any]] = json.loads((FOLDER / "templates.json").read_text())

THREE = "For {{1}}: {{2}} on {{3}}."
YES_NO = [ButtonSpec(type="QUICK_REPLY", text=text) for text in ("Yes", "No")]
NAMED_IN_EXAMPLES = [
    TemplateSpec(name="hello_world", language="en_US", body="Hello"),
    TemplateSpec(name="ticket", body=THREE),
    TemplateSpec(name="ticket_with_picture", header="IMAGE", body=THREE),
    TemplateSpec(name="ticket_with_buttons", header="IMAGE", body=THREE, buttons=YES_NO),
    TemplateSpec(name="shop", body="{{1}}!", buttons=[ButtonSpec(type="CATALOG", text="See")]),
    TemplateSpec(name="counted", body="{{1}}."),
    TemplateSpec(name="settled", body="{{1}}.", buttons=YES_NO),
]


@pytest.fixture(scope="module")
def platform() -> Iterator[RunningSimulator]:
    with RunningSimulator(
        plan=Plan(numbers=DEFAULT.numbers, templates=NAMED_IN_EXAMPLES)
    ) as running:
        for name in ("published", "draft"):
            id_ = create(running, name).json()["id"]
            put(running, id_, flow())
        running.graph("POST", f"{flow_id(running, 'published')}/publish")
        button = {"type": "FLOW", "text": "Rate", "flow_name": "published"}
        components = [{"type": "BODY", "text": "Hi"}, {"type": "BUTTONS", "buttons": [button]}]
        body = {"name": "rate", "language": "en", "category": "UTILITY", "components": components}
        running.graph("POST", f"{running.waba_id}/message_templates", json=body)
        running.advance(5)
        yield running


def flow_id(simulator: RunningSimulator, name: str) -> str:
    flows = simulator.simulator.state.world.flows(simulator.number.waba)
    return next(each.id for each in flows if each.name == name)


def filled(simulator: RunningSimulator, value: Any) -> Any:
    """`$media:image/png` and its like stand for ids that only a running platform knows."""
    if isinstance(value, dict):
        return {name: filled(simulator, each) for name, each in value.items()}
    if isinstance(value, list):
        return [filled(simulator, each) for each in value]
    if not isinstance(value, str) or not value.startswith("$"):
        return value
    kind, _, name = value[1:].partition(":")
    if kind == "media":
        return upload(simulator, name, b"some bytes")
    if kind == "flow":
        return flow_id(simulator, name)
    message_id = simulator.reply(GUEST, "hello")
    simulator.advance(0.01)
    return message_id


@pytest.mark.parametrize("example", MESSAGES, ids=lambda example: example["name"])
def test_a_message_like_the_platforms_example(
    platform: RunningSimulator, example: dict[str, Any]
) -> None:
    body = filled(platform, example["body"])
    answer = platform.graph("POST", f"{platform.number.id}/messages", json=body)
    assert answer.status_code == 200, answer.text
    if "status" in body:
        assert answer.json() == {"success": True}
    else:
        assert answer.json()["contacts"] == [{"input": GUEST, "wa_id": GUEST}]


@pytest.mark.parametrize("example", TEMPLATES, ids=lambda example: example["name"])
def test_a_template_like_the_platforms_example(
    platform: RunningSimulator, example: dict[str, Any]
) -> None:
    body = filled(platform, example)
    answer = platform.graph("POST", f"{platform.waba_id}/message_templates", json=body)
    assert answer.status_code == 200, answer.text
    made = answer.json()
    assert (made["status"], made["category"]) == ("PENDING", example["category"])
    assert made["id"].isdecimal()
