-- Registered events (4.10) and the invitations to them. All times here are the account's own.

CREATE TABLE events (
    account_id          uuid NOT NULL,
    event_id            text NOT NULL,               -- the caller's
    event_date          timestamptz NOT NULL,
    callback_url        text NOT NULL,               -- also in callback_urls, where webhooks look
    invalid_reply       text NOT NULL,               -- texts to guests
    nudge               text NOT NULL,
    expired             text NOT NULL,
    expires_at          timestamptz,                 -- defaults; null: not given
    undelivered_minutes integer CHECK (undelivered_minutes > 0),
    nudge_minutes       integer CHECK (nudge_minutes > 0),
    sent_from           text,                        -- null: automatic
    created_at          timestamptz NOT NULL,
    updated_at          timestamptz NOT NULL,
    PRIMARY KEY (account_id, event_id)
);

-- What an invitation is waiting for, beside its message: open until answered or over. Its state is
-- not kept but follows from these columns and the time (features/events/states.py).
CREATE TABLE invitations (
    account_id   uuid NOT NULL,
    message_id   uuid NOT NULL,
    event_id     text,
    phone        text NOT NULL,                      -- the guest
    expires_at   timestamptz NOT NULL,
    sent_at      timestamptz,
    lost         boolean NOT NULL DEFAULT false,     -- its message failed, expired or was cancelled
    answer       text CHECK (answer IN ('yes', 'no')),
    guests       integer CHECK (guests >= 0),
    answered_at  timestamptz,                        -- when the guest wrote it
    unclear      jsonb,                              -- the last reply that was not understood
    said_invalid boolean NOT NULL DEFAULT false,     -- texts that went to the guest, each once
    said_nudge   boolean NOT NULL DEFAULT false,
    said_expired boolean NOT NULL DEFAULT false,
    unresolved   boolean NOT NULL DEFAULT false,     -- guest.unresolved was told
    PRIMARY KEY (account_id, message_id),
    CONSTRAINT invitations_answer CHECK (
        (answer IS NULL) = (answered_at IS NULL) AND (guests IS NULL OR answer = 'yes')),
    CONSTRAINT invitations_answered_in_time CHECK (answered_at < expires_at),
    CONSTRAINT invitations_unresolved CHECK (NOT unresolved OR unclear IS NOT NULL)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);

-- No index holds a column that changes as an invitation goes its way (see 0002_messages.sql).
CREATE INDEX invitations_of_guest ON invitations (account_id, phone, expires_at);
CREATE INDEX invitations_of_event ON invitations (account_id, event_id) WHERE event_id IS NOT NULL;
