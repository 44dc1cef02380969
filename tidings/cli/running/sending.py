"""`tidings sending`: pause and resume the sending of all accounts."""

from tidings import times
from tidings.cli.actor import command_actor
from tidings.cli.database import transact
from tidings.cli.output import print_json, say
from tidings.features.accounts.pause import find_pause
from tidings.features.operation.sending import pause_sending, resume_sending


def pause(reason: str) -> None:
    changed = transact(lambda tx: pause_sending(tx, command_actor(), reason))
    state = "is now paused" if changed else "was already paused"
    say(f"All sending {state}. What waits is held; tidings sending resume goes on.")


def resume(reason: str) -> None:
    changed = transact(lambda tx: resume_sending(tx, command_actor(), reason))
    say("Sending goes on." if changed else "Sending was not paused.")


def show(*, as_json: bool) -> None:
    found = transact(find_pause)
    if as_json:
        since = None if found is None else times.to_wire(found.since)
        by = None if found is None else found.by
        reason = None if found is None else found.reason or None
        held = found is not None and found.after_restore
        shown = {"paused": found is not None, "since": since, "by": by, "reason": reason}
        print_json(shown | {"heldAfterRestore": held})
    elif found is None:
        say("Sending is not paused.")
    else:
        why = f": {found.reason}" if found.reason else "."
        state = "held after a restore" if found.after_restore else "paused"
        say(f"All sending is {state} since {times.to_wire(found.since)}, by {found.by}{why}")
