"""The life of a form's version (4.6). Pure: states in, states out.

    draft --submit--> submitted --approve--> approved --publish--> published
      ^-----------------withdraw, a step at a time----------------------+

A newer version that has come as far takes its place: `superseded`, and that is the end.
Sandbox accounts send what is approved, live accounts what is published.
"""

from enum import StrEnum


class State(StrEnum):
    DRAFT = "draft"
    SUBMITTED = "submitted"
    APPROVED = "approved"
    PUBLISHED = "published"
    SUPERSEDED = "superseded"


class Trigger(StrEnum):
    SUBMIT = "submit"
    APPROVE = "approve"
    PUBLISH = "publish"
    WITHDRAW = "withdraw"
    REPLACE = "replace"


LADDER = (State.DRAFT, State.SUBMITTED, State.APPROVED, State.PUBLISHED)
UPWARDS = (Trigger.SUBMIT, Trigger.APPROVE, Trigger.PUBLISH)

MOVES: dict[tuple[State, Trigger], State] = {
    **{(LADDER[step], trigger): LADDER[step + 1] for step, trigger in enumerate(UPWARDS)},
    **{(LADDER[step + 1], Trigger.WITHDRAW): LADDER[step] for step in range(len(UPWARDS))},
    **{(state, Trigger.REPLACE): State.SUPERSEDED for state in LADDER},
}

APPROVED = frozenset({State.APPROVED, State.PUBLISHED})


def after(state: State, trigger: Trigger) -> State | None:
    """The next state, or None where there is no such move."""
    return MOVES.get((state, trigger))


def path(state: State, target: State) -> list[Trigger]:
    """The moves that lead from one state to another. From `superseded` none leads anywhere."""
    if state is target or state is State.SUPERSEDED:
        return []
    if target is State.SUPERSEDED:
        return [Trigger.REPLACE]
    here, there = LADDER.index(state), LADDER.index(target)
    if here > there:
        return [Trigger.WITHDRAW] * (here - there)
    return list(UPWARDS[here:there])


def declared(*, approved: bool, published: bool) -> State:
    """What the flags of the file say. To publish what nobody has approved is to submit it."""
    if published:
        return State.PUBLISHED if approved else State.SUBMITTED
    return State.APPROVED if approved else State.DRAFT


def replaces(newer: State, older: State) -> bool:
    """Whether a newer version in this state takes the place of an older one."""
    if State.SUPERSEDED in (newer, older):
        return False
    return LADDER.index(older) <= LADDER.index(newer)


def may_be_sent(state: State, *, sandbox: bool) -> bool:
    return state in APPROVED if sandbox else state is State.PUBLISHED
