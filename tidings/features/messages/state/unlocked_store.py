"""Writes to messages that the transaction has not loaded, by compare-and-set.

Each writes all of its messages, or nothing if one of them is not as this process last knew it: then
`overtaken` is raised. Only `changes.apply` may call them (tests/test_architecture.py).
"""

from collections.abc import Sequence

import msgspec

from tidings.engine.db.partitions import span
from tidings.engine.db.tx import Tx

from ..model import Message

_encode = msgspec.json.Encoder().encode

# `unknown_since` completes the version: without a new generation, only it changes a row that stays
# `sending`. The keys are compared twice, so that a plan made while the table was small cannot scan
# all of it later.
UPDATE_SENT = """
    WITH sent AS (
        SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::int[], $4::text[], $5::timestamptz[],
                             $6::timestamptz[], $7::jsonb[], $8::jsonb[])
               AS u (account_id, id, generation, platform_id, sent_at, times_out_at, step, attempt)
    ), identified AS (
        INSERT INTO platform_ids (account_id, platform_id, message_id)
        SELECT account_id, platform_id, id FROM sent ON CONFLICT DO NOTHING
    )
    UPDATE messages m
       SET status = 'sent', platform_id = v.platform_id, sent_at = v.sent_at,
           times_out_at = v.times_out_at, timeline = m.timeline || v.step,
           attempts = m.attempts || v.attempt
      FROM sent v
     WHERE m.account_id = v.account_id AND m.id = v.id
       AND m.account_id = ANY($1::uuid[]) AND m.id = ANY($2::uuid[]) AND m.id BETWEEN $9 AND $10
       AND m.status = 'sending' AND m.generation = v.generation AND m.unknown_since IS NULL
"""


# Every change of these columns changes the status, the generation or the length of the timeline.
# The recipient is compared because a person may have been erased meanwhile.
UPDATE_REPORTED = """
    WITH reported AS (
        SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::int[], $5::text[], $6::int[],
                             $7::text[], $8::timestamptz[], $9::timestamptz[], $10::jsonb[])
               AS u (account_id, id, recipient, generation, was, steps, status, delivered_at,
                     read_at, added)
    )
    UPDATE messages m
       SET status = v.status, delivered_at = v.delivered_at, read_at = v.read_at,
           timeline = m.timeline || v.added
      FROM reported v
     WHERE m.account_id = v.account_id AND m.id = v.id
       AND m.account_id = ANY($1::uuid[]) AND m.id = ANY($2::uuid[]) AND m.id BETWEEN $11 AND $12
       AND m.status = v.was AND m.generation = v.generation AND m.unknown_since IS NULL
       AND m.recipient = v.recipient AND jsonb_array_length(m.timeline) = v.steps
"""


async def save_sent(tx: Tx, messages: Sequence[Message], overtaken: type[Exception]) -> None:
    """Write messages that were claimed earlier and are now `sent`, without having locked them.

    Compare-and-set: unless every row is as it was claimed, nothing is written and `overtaken` is
    raised. The timeline and the attempts have one entry more than the row: only those are sent.
    """
    await tx.write(
        UPDATE_SENT,
        [message.account_id for message in messages],
        [message.id for message in messages],
        [message.generation for message in messages],
        [message.platform_id for message in messages],
        [message.sent_at for message in messages],
        [message.times_out_at for message in messages],
        [_encode(message.timeline[-1]).decode() for message in messages],
        [_encode(message.attempts[-1]).decode() for message in messages],
        *span([message.id for message in messages]),
        expected=len(messages),
        error=overtaken,
    )


async def save_reported(
    tx: Tx, messages: Sequence[tuple[Message, Message]], overtaken: type[Exception]
) -> None:
    """Write what callbacks reported about messages that were not loaded: as they were and as they
    are. Compare-and-set, like `save_sent`."""
    await tx.write(
        UPDATE_REPORTED,
        [before.account_id for before, _ in messages],
        [before.id for before, _ in messages],
        [before.recipient for before, _ in messages],
        [before.generation for before, _ in messages],
        [before.status.value for before, _ in messages],
        [len(before.timeline) for before, _ in messages],
        [after.status.value for _, after in messages],
        [after.delivered_at for _, after in messages],
        [after.read_at for _, after in messages],
        [_encode(after.timeline[len(before.timeline) :]).decode() for before, after in messages],
        *span([before.id for before, _ in messages]),
        expected=len(messages),
        error=overtaken,
    )
