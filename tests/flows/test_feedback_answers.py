"""Forms as they come back from phones, whatever it is that comes: the first sound answer counts."""

import json
from typing import Any

import pytest

from tests.support.forms import form_toml, sent, submitted, values
from tests.support.service import GUEST, NUMBER, TestAccount, TestService
from tidings.engine.db.tx import Tx
from tidings.features.accounts.lookup import load_accounts
from tidings.features.feedback.answers.receive import receive
from tidings.platforms.port import InboundMessage

SECOND = "972501234568"


@pytest.fixture
def account(service: TestService) -> TestAccount:
    return service.account(form_toml())


def filled(**answers: Any) -> str:
    return json.dumps(answers)


def bring(account: TestAccount, response: str, *, nth: int = 1, **more: Any) -> set[str]:
    """A form comes back as the platform brings it; whether it counted."""

    async def work(tx: Tx) -> set[str]:
        owner = (await load_accounts(tx, [account.id]))[account.id]
        fields: dict[str, Any] = {"from_": GUEST, "at": owner.now(tx.now)} | more
        item = InboundMessage(
            f"wamid.in{nth}", NUMBER, type="interactive", raw=b"{}", form=response, **fields
        )
        return await receive(tx, [(owner, item)])

    found: set[str] = account.service.transact(work)
    return found


def test_forms_that_cannot_be_read_count_for_nothing(account: TestAccount) -> None:
    data = sent(account, clientMessageId="visit-0001")
    account.advance(seconds=5)
    quoted = account.status("visit-0001")["messageId"]
    token = data["sendId"]
    odd: list[tuple[str, dict[str, Any]]] = [
        ("not json", {"quoted": quoted}),
        ("[]", {"quoted": quoted}),
        ("null", {"quoted": quoted}),
        (filled(flow_token=token), {}),  # nothing was said
        (filled(flow_token=token, q1="nine"), {}),
        ('{"q1": "5"}', {}),  # nobody knows which form
        (filled(q1="5", flow_token=f"snd_{0:032}"), {}),
        (filled(q1="5", flow_token="unused"), {}),
        ('{"q1": "5", "flow_token": 7, "tidings_form": ["visit"]}', {}),
        (filled(q1="5", flow_token=token), {"from_": SECOND}),  # somebody else's phone
        ('{"q1": "5"}', {"quoted": "wamid.unknown"}),
    ]
    for response, more in odd:
        assert bring(account, response, **more) == set(), response
    assert submitted(account) == []
    assert bring(account, '{"q1": "5", "q4": "a\\u0000b"}', quoted=quoted) == {"wamid.in1"}
    assert values(submitted(account)[0])["q4"] == "a\ufffdb"


@pytest.mark.parametrize("by", ["token", "quotation", "form", "token without a number"])
def test_an_answer_finds_its_form(account: TestAccount, by: str) -> None:
    data = sent(account, clientMessageId="visit-0001")
    account.advance(seconds=5)
    response: dict[str, Any] = {"q1": "3", "q2": "choice_2", "q3": ["choice_1"]}
    more: dict[str, Any] = {}
    if by.startswith("token"):
        response["flow_token"] = data["sendId"]
    if by == "quotation":
        more["quoted"] = account.status("visit-0001")["messageId"]
    if by == "form":
        response["tidings_form"] = "visit"
    if by == "token without a number":
        more |= {"from_": "", "user_id": "US.1349"}
    assert bring(account, filled(**response), **more) == {"wamid.in1"}
    assert values(submitted(account)[0]) == {"q1": 3, "q2": "Meat", "q3": ["Food"], "q4": None}


def test_a_token_of_another_account_is_not_ours(service: TestService, account: TestAccount) -> None:
    other = service.account(form_toml())
    token = sent(other)["sendId"]
    other.advance(seconds=5)
    assert bring(account, filled(q1="5", flow_token=token)) == set()
    assert submitted(other) == submitted(account) == []


def test_two_answers_at_the_same_time(account: TestAccount) -> None:
    data = sent(account)
    account.advance(seconds=5)

    async def work(tx: Tx) -> set[str]:
        owner = (await load_accounts(tx, [account.id]))[account.id]
        items = [
            InboundMessage(
                f"wamid.in{n}", NUMBER, GUEST, owner.now(tx.now), "interactive", b"{}",
                form=filled(q1=str(n), flow_token=data["sendId"]),
            )
            for n in (4, 2)
        ]  # fmt: skip
        return await receive(tx, [(owner, item) for item in items])

    assert account.service.transact(work) == {"wamid.in4"}
    assert [values(received)["q1"] for received in submitted(account)] == [4]
