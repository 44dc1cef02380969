"""`/simulator/...`: the control endpoints. JSON in Tidings' response format."""

from collections.abc import Callable, Coroutine
from datetime import timedelta
from typing import Any, TypeVar

import msgspec

from tidings import times
from tidings.errors import ApiError, Code
from tidings_simulator.callbacks.bodies import SIGNATURE, CallbackEvent
from tidings_simulator.connection import Handled, Request, Response
from tidings_simulator.control import changes, guests
from tidings_simulator.control import guest_bodies as bodies
from tidings_simulator.control.faults import Fault
from tidings_simulator.graph.messages import recipient_of
from tidings_simulator.state import SendCall, State

PREFIX = "/simulator"
LISTED_MAX = 1000
T = TypeVar("T")
_encode = msgspec.json.Encoder(order="deterministic").encode


class Control:
    def __init__(self, state: State) -> None:
        self._state = state

    def handle(self, request: Request) -> Handled:
        parts = [part for part in request.path.removeprefix(PREFIX).split("/") if part]
        word, name = [*parts, "", ""][:2]
        handler = _ROUTES.get((request.method, word, bool(name)))
        if handler is None or len(parts) > 2:
            problem = f"No such control: {request.method} {request.path}"
            return _refused(ApiError(Code.NOT_FOUND, problem))
        try:
            result = handler(self, request, name)
        except ApiError as refusal:
            return _refused(refusal)
        return result if isinstance(result, Response) else self._wait(result)

    async def _wait(self, work: Coroutine[Any, Any, Response]) -> Response:
        try:
            return await work
        except ApiError as refusal:
            return _refused(refusal)

    # Inspection

    def show(self, _call: Request, _name: str) -> Response:
        state = self._state
        numbers = [
            {"number": n.number, "phoneNumberId": n.id, "wabaId": n.waba.id, "status": n.status}
            for n in state.world.numbers()
        ]
        templates = [
            {"name": t.name, "language": t.language, "status": t.status, "id": t.id}
            for t in state.world.templates()
        ]
        return _data(
            {
                "callbackUrl": state.callback_sender.url,
                "now": times.to_wire(state.clock.now()),
                "numbers": numbers,
                "templates": templates,
                "callbacksWaiting": state.callback_queue.waiting,
                "faults": len(state.faults.active),
            }
        )

    def list_sends(self, request: Request, _name: str) -> Response:
        to, number = request.query.get("to"), request.query.get("number")
        found = [
            each
            for each in self._state.send_calls
            if to in (None, recipient_of(each.body)) and number in (None, each.number_id)
        ]
        return _data([_show_received(each) for each in found[-LISTED_MAX:]])

    def list_callbacks(self, _call: Request, _name: str) -> Response:
        posted = list(self._state.callback_sender.posted)[-LISTED_MAX:]
        return _data(
            [
                {
                    "at": times.to_wire(each.at),
                    "url": each.url,
                    "attempt": each.attempt,
                    "status": each.status,
                    "problem": each.problem or None,
                    "signature": f"{SIGNATURE}: {each.signature}",
                    "events": each.events,
                    "body": msgspec.Raw(each.body),
                }
                for each in posted
            ]
        )

    def show_phone(self, _call: Request, name: str) -> Response:
        return _data(guests.show_phone(self._state.world, name))

    async def verify(self) -> Response:
        """The handshake that the platform makes when a callback URL is set."""
        state = self._state
        problem = await state.callback_sender.verify(state.callback_sender.url, state.verify_token)
        return _data({"verified": not problem, "problem": problem or None})

    # Guests

    def post_reply(self, request: Request, _name: str) -> Response:
        body = _read(request, bodies.ReplyBody)
        said = bodies.write_reply(self._state.world, body)
        self._schedule_now([said])
        return _data({"messageId": said.message["id"]})

    def post_person(self, request: Request, name: str) -> Response:
        body = _read(request, bodies.PersonBody)
        return _data(bodies.change_person(self._state.world, name, body))

    # Changes by the platform

    def post_number(self, request: Request, name: str) -> Response:
        number = self._state.world.find_number(name)
        if number is None:
            raise ApiError(Code.NOT_FOUND, f"There is no number {name}")
        body = _read(request, changes.NumberBody)
        events = changes.change_number(number, body, self._state.clock.now())
        self._schedule_now(events)
        return _data({"callbacks": [event.field for event in events]})

    def post_template(self, request: Request, name: str) -> Response:
        body = _read(request, changes.TemplateBody)
        events = changes.change_templates(self._state.world, name, body)
        self._schedule_now(events)
        return _data({"callbacks": [event.field for event in events]})

    def post_flow(self, request: Request, name: str) -> Response:
        body = _read(request, changes.FlowBody)
        return _data(changes.change_flow(self._state.world, name, body))

    def post_callback(self, request: Request, _name: str) -> Response:
        event = changes.any_change(self._state.world, _read(request, changes.CallbackBody))
        self._schedule_now([event])
        return _data({"callbacks": [event.field]})

    # Faults

    def list_faults(self, _call: Request, _name: str) -> Response:
        return _data(self._state.faults.active)

    def post_fault(self, request: Request, _name: str) -> Response:
        return _data(self._state.faults.add(_read(request, Fault)))

    def delete_faults(self, _call: Request, name: str) -> Response:
        self._state.faults.remove(name or None)
        return _data(self._state.faults.active)

    # Time

    def show_clock(self, _call: Request, _name: str) -> Response:
        ahead = self._state.clock.ahead / timedelta(seconds=1)
        return _data({"now": times.to_wire(self._state.clock.now()), "offsetSeconds": ahead})

    async def post_clock(self, request: Request) -> Response:
        seconds = _read(request, bodies.ClockBody).advance_seconds
        await self._state.callback_queue.advance(timedelta(seconds=seconds))
        return self.show_clock(request, "")

    async def flush(self, request: Request) -> Response:
        await self._state.callback_queue.flush()
        return self.show_clock(request, "")

    def reset(self, _call: Request, _name: str) -> Response:
        self._state.reset()
        return _data({})

    def forget_sends(self, _call: Request, _name: str) -> Response:
        self._state.send_calls.clear()
        self._state.callback_sender.posted.clear()
        return _data({})

    def _schedule_now(self, events: list[Any]) -> None:
        planned: list[tuple[Any, CallbackEvent]] = [
            (self._state.clock.now(), each) for each in events
        ]
        self._state.schedule(planned)


def _read(request: Request, type_: type[T]) -> T:
    try:
        return msgspec.json.decode(request.body or b"{}", type=type_)
    except msgspec.DecodeError as reason:  # ValidationError is one
        raise ApiError(Code.VALIDATION_ERROR, str(reason)) from None


def _data(value: object) -> Response:
    return Response(200, _encode({"success": True, "data": value}))


def _refused(refusal: ApiError) -> Response:
    body = _encode({"success": False, "error": refusal.error()})
    return Response(refusal.code.status, body)


def _show_received(each: SendCall) -> dict[str, Any]:
    answer = _decoded(each.answer)
    messages = answer.get("messages") if isinstance(answer, dict) else None
    error = answer.get("error") if isinstance(answer, dict) else None
    return {
        "at": times.to_wire(each.at),
        "phoneNumberId": each.number_id,
        "to": recipient_of(each.body),
        "body": _decoded(each.body),
        "status": each.status,
        "messageId": messages[0]["id"] if messages else None,
        "code": error.get("code") if error else None,
        "fault": each.faulted,
    }


def _decoded(body: bytes) -> Any:
    try:
        return msgspec.json.decode(body)
    except msgspec.DecodeError:
        return None


_ROUTES: dict[tuple[str, str, bool], Callable[[Control, Request, str], Any]] = {
    ("GET", "", False): Control.show,
    ("GET", "sends", False): Control.list_sends,
    ("DELETE", "sends", False): Control.forget_sends,
    ("GET", "callbacks", False): Control.list_callbacks,
    ("POST", "callbacks", False): Control.post_callback,
    ("GET", "phones", True): Control.show_phone,
    ("POST", "replies", False): Control.post_reply,
    ("POST", "people", True): Control.post_person,
    ("POST", "numbers", True): Control.post_number,
    ("POST", "templates", True): Control.post_template,
    ("POST", "flows", True): Control.post_flow,
    ("GET", "faults", False): Control.list_faults,
    ("POST", "faults", False): Control.post_fault,
    ("DELETE", "faults", False): Control.delete_faults,
    ("DELETE", "faults", True): Control.delete_faults,
    ("GET", "clock", False): Control.show_clock,
    ("POST", "clock", False): lambda control, request, _: control.post_clock(request),
    ("POST", "flush", False): lambda control, request, _: control.flush(request),
    ("POST", "verify", False): lambda control, _call, _name: control.verify(),
    ("POST", "reset", False): Control.reset,
}
