-- Batches (4.3, 4.9), and what a message needs to know of the one it came in.

CREATE TABLE batches (
    account_id   uuid NOT NULL,
    id           uuid NOT NULL,
    name         text NOT NULL,
    event_id     text,
    total        integer NOT NULL,                   -- accepted messages
    created_at   timestamptz NOT NULL,
    cancelled_at timestamptz,
    completed_at timestamptz,
    told_percent integer NOT NULL DEFAULT 0,         -- of the last batch.progress
    told_at      timestamptz,
    PRIMARY KEY (account_id, id)
);

CREATE INDEX messages_by_batch ON messages (account_id, batch_id) WHERE batch_id IS NOT NULL;

-- Asked for while the message was on its way: if the platform gives it back, it is cancelled.
ALTER TABLE messages ADD COLUMN cancel_asked boolean NOT NULL DEFAULT false;

-- The moments for which the rolling limits granted this message its place, and its number's rate
-- its turn.
ALTER TABLE messages ADD COLUMN granted_at timestamptz, ADD COLUMN reach_meter text,
    ADD COLUMN planned_at timestamptz;

-- Until when an invitation may be answered.
ALTER TABLE messages ADD COLUMN expires_at timestamptz;

-- The template that goes in place of free content if the window is closed when a waiting message's
-- turn comes.
ALTER TABLE messages ADD COLUMN outside jsonb;

CREATE INDEX webhooks_by_age ON webhooks (created_at) WHERE state <> 'pending';
