"""Turns by owner: rounds over those who wait, and nothing kept of those who do not."""

import asyncio

from tidings.engine.http.admission import Admission
from tidings.engine.rounds import OWNER, Places, Rivals, Rounds


def rounds_of(*items: str) -> Rounds[str]:
    """The owner of an item is its first letter."""
    rounds: Rounds[str] = Rounds()
    for item in items:
        rounds.put(item[0], item)
    return rounds


def test_each_owner_has_its_turn_whoever_came_first():
    rounds = rounds_of("a1", "a2", "a3", "b1", "c1", "b2")
    assert [rounds.pop() for _ in range(6)] == ["a1", "b1", "c1", "a2", "b2", "a3"]
    assert len(rounds) == 0 and not rounds._queues


def test_a_share_of_each_is_taken_and_the_rest_waits_behind_the_others():
    rounds = rounds_of("a1", "a2", "a3", "b1", "c1")
    assert [item for _, item in rounds.take(4, 2)] == ["a1", "a2", "b1", "c1"]
    rounds.put("d", "d1")
    assert [item for _, item in rounds.take(1, 2)] == ["a3"]
    assert [item for _, item in rounds.take(9, 2, busy={"d"})] == []
    assert rounds.has_others({"a"}) and not rounds.has_others({"d"})
    assert len(rounds) == 1


def test_rivals_are_forgotten_after_a_while():
    rivals = Rivals()
    for _ in range(5000):
        rivals.see("a")
    assert not rivals.are_here, "one alone is nobody's rival"
    rivals.see("b")
    rivals.see("a")
    assert rivals.are_here
    for _ in range(5000):
        rivals.see("a")
    assert not rivals.are_here


async def _in_order(places: Places, owners: str) -> list[str]:
    order: list[str] = []

    async def use(owner: str) -> None:
        OWNER.set(owner)
        await places.acquire()
        order.append(owner)
        await asyncio.sleep(0)
        places.release()

    await asyncio.gather(*map(use, owners))
    return order


async def test_places_are_given_in_rounds():
    assert "".join(await _in_order(Places(1), "aaaaabc")) == "aabcaaa"


async def test_a_place_that_nobody_waits_for_any_more_is_not_lost():
    places = Places(1)
    await places.acquire()
    gone = asyncio.create_task(places.acquire())
    late = asyncio.create_task(places.acquire())
    await asyncio.sleep(0)
    gone.cancel()
    places.release()  # given to the second: the first has left
    late.cancel()  # which leaves as well, with the place in its hand
    await asyncio.gather(gone, late, return_exceptions=True)
    assert places.locked() is False


async def _begun(admission: Admission, owners: str) -> list[str]:
    """In which order requests that come at the same time are begun; a | for each turn."""
    begun: list[str] = []
    left = len(owners)

    async def begin(owner: str) -> None:
        nonlocal left
        turn = admission.ask(owner)
        if turn is not None:
            await turn
        begun.append(owner)
        left -= 1

    tasks = [asyncio.create_task(begin(owner)) for owner in owners]
    while left:
        await asyncio.sleep(0)
        begun.append("|")
    await asyncio.gather(*tasks)
    return begun


async def test_of_several_accounts_a_few_requests_are_begun_in_a_turn_one_of_each():
    admission = Admission(per_turn=2)
    admission.ask("z")  # somebody else is here too
    order = "".join(await _begun(admission, "aaaaaaab"))
    assert order.replace("|", "").index("b") <= 3, order
    assert max(len(turn) for turn in order.split("|")) <= 2, order


async def test_an_account_alone_is_never_held_back():
    assert "".join(await _begun(Admission(per_turn=2), "a" * 50)).startswith("a" * 50)
