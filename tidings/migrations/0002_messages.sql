-- Messages, the people they go to, and what came back. All times here are the account's own.

CREATE TABLE contacts (
    account_id    uuid NOT NULL,
    phone         text NOT NULL,
    number        text,                              -- the number this person knows us by
    delivered_at  timestamptz,                       -- first delivery: numbers/check
    opted_out_at  timestamptz,
    opt_source    text,
    PRIMARY KEY (account_id, phone)
);

CREATE TABLE conversations (                         -- the 24 h window is per our number and person
    account_id    uuid NOT NULL,
    phone         text NOT NULL,
    number        text NOT NULL,
    last_heard_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, phone, number)
);

CREATE TABLE repeats (                               -- 48 h de-duplication (4.1)
    account_id        uuid NOT NULL,
    client_message_id text NOT NULL,
    message_id        uuid NOT NULL,
    first_at          timestamptz NOT NULL,
    PRIMARY KEY (account_id, client_message_id)
);

CREATE TABLE messages (
    account_id        uuid NOT NULL,
    id                uuid NOT NULL,
    client_message_id text NOT NULL,
    kind              text NOT NULL,                 -- notification, invitation, otp, feedback
    recipient         text NOT NULL,
    content           jsonb NOT NULL,                -- platforms/content.py
    meta              text,                          -- the caller's JSON, verbatim
    status            text NOT NULL CHECK (status IN ('scheduled', 'queued', 'deferred', 'sending',
                      'sent', 'delivered', 'read', 'failed', 'expired', 'cancelled')),
    reason            text,                          -- why it waits
    retry_at          timestamptz,                   -- until when, where a time is known
    told_reasons      text[] NOT NULL DEFAULT '{}',  -- message.deferred is told once per reason
    created_at        timestamptz NOT NULL,
    scheduled_for     timestamptz,
    deadline          timestamptz,
    event_id          text,
    batch_id          uuid,
    asked_number      text,                          -- sentFrom, as asked
    from_policy       text,
    number            text,                          -- the number that sends it
    fallback_used     boolean NOT NULL DEFAULT false,
    platform_id       text,
    generation        integer NOT NULL DEFAULT 0,    -- fences a zombie's late result
    unknown_since     timestamptz,                   -- the platform was called and no answer came
    resends           integer NOT NULL DEFAULT 0,
    times_out_at      timestamptz NOT NULL,          -- sent and undelivered by then: expired
    sent_at           timestamptz,
    delivered_at      timestamptz,
    read_at           timestamptz,
    refunded_at       timestamptz,
    never_delivered   boolean NOT NULL DEFAULT false,
    error             jsonb,                         -- {code, explanation, action, platformCode}
    timeline          jsonb NOT NULL DEFAULT '[]',   -- [{status, at, reason?}]
    attempts          jsonb NOT NULL DEFAULT '[]',   -- [{attempt, at, sentFrom, outcome, code?}]
    PRIMARY KEY (account_id, id)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);

-- No index holds a column that changes as a message goes its way: so a step may rewrite the
-- row on its page and touch no index (PostgreSQL's heap-only tuples). What finds a message by a later fact is a table
-- of its own, written once.
CREATE TABLE platform_ids (
    account_id  uuid NOT NULL,
    platform_id text NOT NULL,
    message_id  uuid NOT NULL,
    PRIMARY KEY (account_id, platform_id)
);
CREATE INDEX messages_by_recipient ON messages (account_id, recipient, id);
CREATE INDEX messages_by_timeout ON messages (account_id, times_out_at);

CREATE TABLE inbound (                               -- what guests sent us, once per platform id
    account_id  uuid NOT NULL,
    platform_id text NOT NULL,
    phone       text NOT NULL,
    number      text NOT NULL,
    at          timestamptz NOT NULL,
    type        text NOT NULL,
    text        text,
    raw         text NOT NULL,                       -- the platform's message, verbatim
    PRIMARY KEY (account_id, platform_id)
);
CREATE INDEX inbound_by_phone ON inbound (account_id, phone, at);
