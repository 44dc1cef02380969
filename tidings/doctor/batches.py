"""Invariants of batches: I18 and I19."""

from .messages import UNFINISHED, WAITING
from .model import Check, Invariant, each_row, one

# A month is the least that messages are kept: in older batches some may be gone.
_COUNTED = f"""
    batches b LEFT JOIN accounts a ON a.id = b.account_id
    LEFT JOIN (
        SELECT account_id, batch_id, count(*) AS messages,
               count(*) FILTER (WHERE status IN {WAITING}) AS waiting,
               count(*) FILTER (WHERE status IN {UNFINISHED}) AS unfinished
          FROM messages WHERE batch_id IS NOT NULL GROUP BY account_id, batch_id) m
      ON m.account_id = b.account_id AND m.batch_id = b.id
"""
_HAS_JOB = """EXISTS (SELECT FROM jobs j WHERE j.account_id = b.account_id AND j.kind = '{0}'
    AND j.subject = replace(b.id::text, '-', '') AND j.dead_lettered_at IS NULL)"""
_HAS_PARTS = """EXISTS (SELECT FROM batch_parts p
    WHERE p.account_id = b.account_id AND p.batch_id = b.id)"""

# For the repairs: batches of which nothing is left to do but to count them, and uploads that nobody
# goes on with.
BATCHES_TO_COUNT = f"""
    SELECT b.account_id, b.id FROM batches b
     WHERE b.completed_at IS NULL AND b.to_come = 0 AND NOT {_HAS_JOB.format("batch.moved")}
       AND NOT EXISTS (SELECT FROM messages m WHERE m.account_id = b.account_id
                          AND m.batch_id = b.id AND m.status IN {UNFINISHED})
"""
UPLOADS_WITHOUT_JOB = f"""
    SELECT b.account_id, b.id FROM batches b
     WHERE b.to_come > 0 AND {_HAS_PARTS} AND NOT {_HAS_JOB.format("batch.part")}
"""

CHECKS: tuple[Check, ...] = (
    each_row(
        _COUNTED,
        "b.id::text",
        [
            (
                Invariant(
                    "I18", "total of a batch", "a batch has no more messages than it accepted"
                ),
                "m.messages > b.total",
            ),
            (
                Invariant(
                    "I18",
                    "completed batch",
                    "no message of a completed batch is still to be sent",
                ),
                "b.completed_at IS NOT NULL AND (m.unfinished > 0 OR b.to_come > 0)",
            ),
            (
                Invariant(
                    "I18",
                    "end of a batch",
                    "a batch whose messages are all processed is completed, or about to be",
                    mended_by="progress of batches",
                ),
                "b.completed_at IS NULL AND coalesce(m.unfinished, 0) = 0 AND b.to_come = 0"
                f" AND NOT {_HAS_JOB.format('batch.moved')}",
            ),
            (
                Invariant(
                    "I18",
                    "rows to come",
                    "rows of an upload that are still to be accepted are there, with a job",
                    mended_by="rows of uploads",
                ),
                f"(b.to_come > 0) <> {_HAS_PARTS}"
                f" OR b.to_come > 0 AND NOT {_HAS_JOB.format('batch.part')}",
            ),
            (
                Invariant(
                    "I19", "cancelled batch", "nothing of a cancelled batch waits to be sent"
                ),
                "b.cancelled_at IS NOT NULL AND (m.waiting > 0 OR b.to_come > 0)",
            ),
        ],
    ),
    one(
        Invariant(
            "I18", "completion event", "batch.completed is published once for a completed batch"
        ),
        """
        SELECT b.id::text FROM batches b JOIN (
            SELECT account_id, convert_from(body, 'UTF8')::jsonb #>> '{data,batchId}' AS batch,
                   count(*) AS events
              FROM webhooks WHERE type = 'batch.completed' GROUP BY 1, 2) w
            ON w.account_id = b.account_id AND w.batch = 'bat_' || replace(b.id::text, '-', '')
         WHERE w.events > 1
        """,
    ),
)
