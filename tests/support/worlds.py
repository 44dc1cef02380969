"""Two worlds that must look the same to a customer: a sandbox account, and a live account whose
adapter talks to the Graph simulator over HTTP, with callbacks that come back to the service.

    world.send(to=world.person(), templateName="plain")
    world.advance(3)
    assert world.received() == ["sent", "delivered", "read"]

What a world has seen, ids and times taken out (`world.seen()`), is compared with the other's.
"""

import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, cast

import httpx

from tests.support.clock import STANDING
from tests.support.normalised import by_message, normalised, without_rhythm
from tests.support.service import TestAccount, TestService, account_toml
from tests.support.simulator import RunningSimulator, service_with_simulator
from tidings.features.templates.sync import sync_account
from tidings_simulator.plan import NumberSpec, Plan, read_plan

PUBLIC_URL = "https://go.example.com"
SETTLES_WITHIN = 60.0
WORLDS_MAX = 200
NUMBER = "972555000001"
TOKEN = "simulator-token"
SILENT = "9024"  # what is on this phone, only the platform knows
PLAYED = ["otp", "send", "timers"]

TEMPLATES = f"""
[[templates]]
name = "plain"
body = "Good morning"
[[templates]]
name = "hello"
body = "Hello {{{{1}}}}"
[[templates]]
name = "full"
language = "he"
header = "TEXT"
headerText = "For {{{{1}}}}"
body = "{{{{1}}}} and {{{{2}}}}"
footer = "Bye"
[[templates]]
name = "photo"
header = "IMAGE"
body = "This is for {{{{1}}}}."
[[templates]]
name = "menu"
header = "DOCUMENT"
body = "Our menu."
[[templates]]
name = "invite"
body = "Hi {{{{1}}}}, join us!"
buttons = [{{ type = "QUICK_REPLY", text = "Yes" }}, {{ type = "QUICK_REPLY", text = "No" }}]
[[templates]]
name = "open"
body = "See it here."
buttons = [{{ type = "URL", text = "Open", url = "{PUBLIC_URL}/r/{{{{1}}}}" }}]
[[templates]]
name = "shop"
body = "See it there."
buttons = [{{ type = "URL", text = "Shop", url = "https://shop.example.com/{{{{1}}}}" }}]
[[templates]]
name = "paused"
status = "PAUSED"
body = "Not now"
[[templates]]
name = "code"
category = "AUTHENTICATION"
"""


class World(ABC):
    """An account of its own on the shared stage. `place` distinguishes the tests of the suite, so
    that a test has the same recipients in both worlds, and no other test has them."""

    def __init__(self, service: TestService, made: dict[str, Any], place: int) -> None:
        self.service = service
        self.account = TestAccount(service, made)
        self.has_own_rhythm = False  # a test says so where the worlds try again by other rules
        self.answers: list[Any] = []
        self._place = place
        self._cids: list[str] = []
        self._people: list[str] = []

    # What a customer does

    def person(self, last_four: str = "4567") -> str:
        """A recipient of this test alone; the last four digits may be magic."""
        number = f"97250{self._place:03}{last_four}"
        if number not in self._people:
            self._people.append(number)
        return number

    def send(self, **body: Any) -> dict[str, Any]:
        return self.post("/messages/text", body)

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """The answer with `http`; a message without a clientMessageId gets the next one."""
        if path.startswith("/messages/") and not path.endswith(("/bulk", "/upload")):
            body = {"clientMessageId": f"order-{len(self._cids) + 1:04}"} | body
            self._cids.append(body["clientMessageId"])
        self._cids += [one["clientMessageId"] for one in body.get("messages", [])]
        return self._noted(self.account.post(path, body))

    def get(self, path: str) -> dict[str, Any]:
        return self._noted(self.account.get(path))

    def _noted(self, answer: httpx.Response) -> dict[str, Any]:
        whole = answer.json()
        received = {"http": answer.status_code, **(whole.get("data") or whole.get("error"))}
        self.answers.append(received)
        return received

    def later(self, **time: float) -> str:
        """A timestamp of the account's clock."""
        return (self.now() + timedelta(**time)).isoformat()

    def status(self, cid: str = "order-0001") -> dict[str, Any]:
        return self.account.status(cid)

    def timeline(self, cid: str = "order-0001") -> list[str]:
        return [step["status"] for step in self.status(cid)["timeline"]]

    # What it receives

    def events(self, kind: str | None = None) -> list[dict[str, Any]]:
        return [cast(dict[str, Any], e["data"]) for e in self.account.events(kind)]

    def received(self, cid: str = "order-0001") -> list[str]:
        """Of a message: its statuses, and the reasons for which it waited."""
        mine = [data for data in self.events() if data.get("clientMessageId") == cid]
        received = [data.get("reason") or data.get("status") for data in mine]
        return [word for word in received if word is not None]

    def seen(self) -> dict[str, Any]:
        """All that a customer and the guests could see."""
        statuses = {
            cid: answer.json()
            for cid in self._cids
            if (answer := self.account.get(f"/messages/{cid}"))
        }
        seen = {
            "answers": self.answers,
            "messages": statuses,
            "events": by_message(self.account.events()),
            "phones": {n: self.phone(n) for n in self._people if not n.endswith(SILENT)},
        }
        found = normalised(seen)
        return without_rhythm(found) if self.has_own_rhythm else found

    # What differs between the worlds

    @abstractmethod
    def now(self) -> datetime: ...

    @abstractmethod
    def advance(self, seconds: float) -> None:
        """Time passes; what falls due on the way has happened when this returns."""

    @abstractmethod
    def reply(self, from_: str, **said: Any) -> None:
        """A guest answers: `text`, `button`, `media` or `stop`, and perhaps `quoted`."""

    @abstractmethod
    def phone(self, number: str) -> list[dict[str, Any]]: ...


class SandboxWorld(World):
    def now(self) -> datetime:
        return datetime.fromisoformat(self._control("GET", "/clock")["now"])

    def advance(self, seconds: float) -> None:
        self._control("POST", "/clock", {"advanceSeconds": int(seconds)})

    def reply(self, from_: str, **said: Any) -> None:
        self._control("POST", "/replies", {"from": from_, **said})

    def phone(self, number: str) -> list[dict[str, Any]]:
        return cast(list[dict[str, Any]], self._control("GET", f"/phones/{number}")["messages"])

    def _control(self, method: str, path: str, body: Any = None) -> dict[str, Any]:
        answer = self.service.http.request(
            method, f"/sandbox/v1{path}", json=body, headers=self.account.headers
        )
        assert answer.status_code == 200, answer.text
        return cast(dict[str, Any], answer.json()["data"])


class LiveWorld(World):
    """The service reads the simulator's clock, so that advancing it advances both."""

    def __init__(
        self,
        service: TestService,
        made: dict[str, Any],
        place: int,
        simulator: RunningSimulator,
    ) -> None:
        super().__init__(service, made, place)
        self.simulator = simulator

    def now(self) -> datetime:
        return self.simulator.simulator.clock.now()

    def advance(self, seconds: float) -> None:
        clock = self.simulator.simulator.clock
        goal = clock.ahead + timedelta(seconds=seconds)
        self.settle()
        while (left := goal - clock.ahead) > timedelta(0):
            dues = [due for due in (self._next_job(), self._next_callback()) if due is not None]
            waits = [max(due - clock.now(), timedelta(milliseconds=1)) for due in dues]
            self.simulator.advance(min([left, *waits]).total_seconds())
            self.settle()

    def settle(self) -> None:
        """Until nothing is due on either side."""
        end = time.monotonic() + SETTLES_WITHIN
        while True:
            self.simulator.advance(0)
            self.service.call(self._wake)
            if not self._busy():
                return
            assert time.monotonic() < end, f"never settles: {self._busy()}"
            time.sleep(0.005)

    async def _wake(self) -> None:
        for pool in PLAYED:
            self.service.service.workers[pool].wake()

    def _busy(self) -> list[dict[str, Any]]:
        return self.service.sql(
            "SELECT kind, subject, due_at, leased FROM jobs WHERE account_id = $1"
            " AND pool = ANY($2) AND dead_lettered_at IS NULL AND (leased OR due_at <= $3)",
            self.account.id,
            PLAYED,
            self.now(),
        )

    def _next_job(self) -> datetime | None:
        query = "SELECT min(due_at) AS due FROM jobs WHERE account_id = $1 AND pool = ANY($2)"
        return cast("datetime | None", self.service.sql(query, self.account.id, PLAYED)[0]["due"])

    def _next_callback(self) -> datetime | None:
        return self.simulator.simulator.state.callback_queue.next_due

    def reply(self, from_: str, **said: Any) -> None:
        if "quoted" in said:
            said["quoted"] = self.status(said["quoted"])["messageId"]
        self.simulator.reply(from_, **{"to": self.place_id(self._place), **said})
        self.settle()

    def phone(self, number: str) -> list[dict[str, Any]]:
        """The simulator knows our messages by the send id that came with them."""
        shown = self.simulator.phone(number)
        for message in shown:
            if message["direction"] == "out":
                message["clientMessageId"] = self._cid_of(message["clientMessageId"])
        return shown

    def _cid_of(self, send_id: str) -> str:
        query = "SELECT client_message_id AS cid FROM messages WHERE account_id = $1 AND id = $2"
        return str(self.service.sql(query, self.account.id, send_id.split(".")[0])[0]["cid"])

    @staticmethod
    def place_id(place: int) -> str:
        return str(100_000_000_000_000 + place)


class Stage:
    """The service, and the platform it talks to."""

    def __init__(self, service: TestService, simulator: RunningSimulator) -> None:
        self.service = service
        self.simulator = simulator
        self._places: dict[str, int] = {}

    def world(self, kind: str, test: str, **fields: Any) -> World:
        place = self._places.setdefault(test, len(self._places) + 1)
        assert place < WORLDS_MAX, "the plan has no more numbers"
        if kind == "sandbox":
            templates = TEMPLATES.replace("[[templates]]", "[[accounts.templates]]")
            made = self.service.apply(account_toml(templates, **fields))[0]
            return SandboxWorld(self.service, made, place)
        made = self.service.apply(_live_toml(place, fields))[0]
        ctx = self.service.ctx
        synced = self.service.call(lambda: sync_account(ctx.db, ctx.graph, ctx.sealer, made["id"]))
        assert synced is not None and synced.problem is None, synced
        return LiveWorld(self.service, made, place, self.simulator)


def _live_toml(place: int, fields: dict[str, Any]) -> str:
    numbers = (
        f'[[accounts.numbers]]\nnumber = "{NUMBER}"\nphoneNumberId = "{LiveWorld.place_id(place)}"'
        f'\nwabaId = "2{place:05}"\nportfolioId = "3{place:05}"\naccessToken = "{TOKEN}"\n'
        "# accounts.templates\n"
    )
    return account_toml(numbers, environment="live", **fields)


def plan() -> Plan:
    """A number, a business account and a portfolio for every test, all with the same templates."""
    numbers = [
        NumberSpec(
            number=NUMBER,
            phone_number_id=LiveWorld.place_id(place),
            waba_id=f"2{place:05}",
            portfolio_id=f"3{place:05}",
            access_token=TOKEN,
        )
        for place in range(1, WORLDS_MAX)
    ]
    return Plan(numbers=numbers, templates=read_plan(TEMPLATES).templates)


@contextmanager
def open_stage(folder: Path) -> Iterator[Stage]:
    with RunningSimulator(plan=plan(), clock=STANDING) as simulator:
        clock = simulator.simulator.clock
        with service_with_simulator(
            simulator, folder, clock=clock, TIDINGS_PUBLIC_URL=PUBLIC_URL
        ) as joined:
            yield Stage(joined, simulator)
