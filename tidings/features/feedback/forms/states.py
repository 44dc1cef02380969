"""The state machine of a form's version (4.6). Pure.

    draft --submit--> submitted --approve--> approved --publish--> published
      ^-----------------withdraw, a step at a time----------------------+

A newer version in the same or a later state replaces it: `superseded`, a final state. Sandbox
accounts send approved versions, live accounts published ones.
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


STAGES = (State.DRAFT, State.SUBMITTED, State.APPROVED, State.PUBLISHED)
FORWARD = (Trigger.SUBMIT, Trigger.APPROVE, Trigger.PUBLISH)

TRANSITIONS: dict[tuple[State, Trigger], State] = {
    **{(STAGES[step], trigger): STAGES[step + 1] for step, trigger in enumerate(FORWARD)},
    **{(STAGES[step + 1], Trigger.WITHDRAW): STAGES[step] for step in range(len(FORWARD))},
    **{(state, Trigger.REPLACE): State.SUPERSEDED for state in STAGES},
}

APPROVED = frozenset({State.APPROVED, State.PUBLISHED})


def after(state: State, trigger: Trigger) -> State | None:
    """The next state, or None if there is no such transition."""
    return TRANSITIONS.get((state, trigger))


def path(state: State, target: State) -> list[Trigger]:
    """The triggers that lead from one state to another; none to itself, and none from
    `superseded`."""
    if state is State.SUPERSEDED:
        return []
    if target is State.SUPERSEDED:
        return [Trigger.REPLACE]
    start, end = STAGES.index(state), STAGES.index(target)
    return [Trigger.WITHDRAW] * (start - end) or list(FORWARD[start:end])


def declared(*, approved: bool, published: bool) -> State:
    """The state that the flags of the file declare. Published but not approved means submitted."""
    if published:
        return State.PUBLISHED if approved else State.SUBMITTED
    return State.APPROVED if approved else State.DRAFT


def replaces(newer: State, older: State) -> bool:
    """Whether a newer version in this state supersedes an older one."""
    if State.SUPERSEDED in (newer, older):
        return False
    return STAGES.index(older) <= STAGES.index(newer)


def may_be_sent(state: State, *, sandbox: bool) -> bool:
    return state in APPROVED if sandbox else state is State.PUBLISHED
