"""Shows that the examination of a history sees what must not be: each promise is broken on purpose.

python -m proof.simulation.sabotage BASE     (the database as JSON, as for a worker)

A line for each way, `seen` or `MISSED`; ends with 1 where one was missed.
"""

import copy
import gc
import os
import sys
from collections.abc import Callable

import msgspec
import structlog

from proof.simulation.arena import Arena
from proof.simulation.customers import Post
from proof.simulation.history import History
from proof.simulation.model import Outcome

SEED = 1
# Rows are changed past the triggers that keep them from it.
_TRIGGERS_OFF, _TRIGGERS_ON = "SET session_replication_role = replica", "RESET ALL"
_READ = "(SELECT id FROM messages WHERE status = 'read' ORDER BY id LIMIT 1)"


def _change(statement: str) -> Callable[[Outcome], None]:
    def tamper(outcome: Outcome) -> None:
        for one in (_TRIGGERS_OFF, statement, _TRIGGERS_ON):
            outcome.database.value(one)

    return tamper


def _send_again(outcome: Outcome) -> None:
    texts = [one for one in outcome.platform.taken if "plain" in repr(one.send.content)]
    outcome.platform.taken.append(copy.copy(texts[0]))


def _send_what_nobody_wanted(outcome: Outcome) -> None:
    taken = copy.copy(outcome.platform.taken[0])
    taken.send = msgspec.structs.replace(taken.send, client_message_id="never-asked-for")
    outcome.platform.taken.append(taken)


def _forget_a_post(outcome: Outcome) -> None:
    lost = outcome.customers.posts[0].id
    outcome.customers.posts = [one for one in outcome.customers.posts if one.id != lost]


def _post_another_body(outcome: Outcome) -> None:
    post = outcome.customers.posts[0]
    outcome.customers.posts.append(Post(post.id, b'{"data":{}}', 2, post.at, post.at, 204))


def _accept_twice(outcome: Outcome) -> None:
    for wanted in outcome.callers.requests:
        if wanted.path.endswith("/text") and wanted.acknowledged:
            wanted.answers.append(wanted.answers[0])
            return


# What is done, and a part of what must be said of it.
WAYS: dict[str, tuple[Callable[[Outcome], None], str]] = {
    "a message is lost": (
        _change(f"DELETE FROM messages WHERE id = {_READ}"), "was acknowledged and is lost",
    ),
    "a guest gets two": (_send_again, "was sent 2 times"),
    "somebody is sent what nobody wanted": (_send_what_nobody_wanted, "is unknown to us"),
    "a message never ends": (
        _change(f"UPDATE messages SET status = 'queued' WHERE id = {_READ}"), "still waits",
    ),
    "a status goes backwards": (
        _change(f"UPDATE messages SET status = 'sent', read_at = NULL WHERE id = {_READ}"),
        "was reported read and is sent",
    ),
    "a message is not charged": (
        _change(f"DELETE FROM charges WHERE message_id = {_READ}"), "has the charges []",
    ),
    "a message that arrived is refunded": (
        _change(f"UPDATE messages SET refunded_at = now() WHERE id = {_READ}"), "has the charges",
    ),
    "an event is never posted": (_forget_a_post, "and nobody took it"),
    "an event is posted with another body": (_post_another_body, "with another body"),
    "an event is still owed": (
        _change("UPDATE webhooks SET state = 'pending' WHERE message_id IS NOT NULL"), "still owed",
    ),
    "one id is accepted twice": (_accept_twice, "was accepted 2 times"),
}  # fmt: skip


def main() -> int:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    gc.disable()
    arena, missed, kept = Arena(msgspec.json.decode(sys.argv[1])), 0, []
    for way, (tamper, said) in WAYS.items():
        history = History(arena, SEED, [], tamper=tamper)
        kept.append(history)
        problems = history.run().problems
        is_seen = any(said in problem for problem in problems)
        missed += not is_seen
        print(f"{'seen' if is_seen else 'MISSED'}: {way}", *([] if is_seen else problems[:5]))
    arena.close()
    return 1 if missed else 0


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    os._exit(status)
