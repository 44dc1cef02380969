"""Whatever is posted to the Graph simulator is answered: taken, or refused in its own words."""

import asyncio
import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.simulator.test_examples import MESSAGES, TEMPLATES
from tests.simulator.test_flows import flow
from tidings_simulator.connection import Request, Response
from tidings_simulator.graph.flow_json import check_flow, constants_of, questions_of
from tidings_simulator.simulator import GraphSimulator

HEADERS = {b"authorization": b"Bearer simulator-token", b"content-type": b"application/json"}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path]
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, each in items:
            found += places(each, (*path, key))
    return found


def put(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = put(value[path[0]], path[1:], new)
    return copy


@st.composite
def spoilt(draw: st.DrawFn, examples: list[Any]) -> Any:
    """A good body with one part of it replaced by anything."""
    example = draw(st.sampled_from(examples))
    return put(example, draw(st.sampled_from(places(example))), draw(JSON))


def answer(method: str, edge: str, body: bytes) -> Response:
    async def ask() -> Response:
        async with GraphSimulator(windows_open=True) as simulator:
            number = simulator.state.world.numbers()[0]
            id_ = number.id if edge == "messages" else number.waba.id
            outcome = simulator.handle(Request(method, f"/v25.0/{id_}/{edge}", "", HEADERS, body))
            await simulator.flush()
            assert isinstance(outcome, Response)
            return outcome

    return asyncio.run(ask())


def require_sense(given: Response) -> None:
    body = json.loads(given.body)
    if given.status == 200:
        assert "error" not in body
    else:
        assert 400 <= given.status < 500 and body["error"]["code"] and body["error"]["message"]


@settings(max_examples=300, deadline=None)
@given(spoilt([example["body"] for example in MESSAGES]) | JSON)
def test_any_message_is_answered(body: Any) -> None:
    require_sense(answer("POST", "messages", json.dumps(body).encode()))


@settings(max_examples=200, deadline=None)
@given(spoilt(TEMPLATES) | JSON)
def test_any_template_is_answered(body: Any) -> None:
    require_sense(answer("POST", "message_templates", json.dumps(body).encode()))


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=50))
def test_any_bytes_are_answered(body: bytes) -> None:
    require_sense(answer("POST", "messages", body))
    require_sense(answer("POST", "flows", body))


@settings(max_examples=300, deadline=None)
@given(spoilt([flow()]))
def test_any_flow_is_judged(body: Any) -> None:
    data = json.dumps(body).encode()
    assert all(each["error"] and each["message"] for each in check_flow(data))
    assert isinstance(questions_of(data), tuple)
    assert isinstance(constants_of(data), dict)
