-- The schema of 0.2.0, the first release. This file is frozen: a change is a new file (docs/operating/upgrade.md).
-- Every table of a tenant leads its key with account_id, the distribution column of a sharded PostgreSQL.
--
-- What grows with every message is partitioned by the month in its id (docs/decisions/0031). Partitions are
-- made ahead by engine/db/partitions.py, with the storage parameters of the table's default partition,
-- which is empty unless a month has no partition of its own.

-- =================================================================================================
-- Accounts: keys, signing secrets, request rate
-- =================================================================================================

-- Whom accounts belong to, and people are members of: a customer with its sandbox and live accounts.
CREATE TABLE organisations (
    id         uuid PRIMARY KEY,
    handle     text NOT NULL UNIQUE,                 -- as the account file names it; that of a sign-up has a random end
    name       text NOT NULL,                        -- as people read it
    created_at timestamptz NOT NULL
);

CREATE TABLE accounts (
    id                  uuid PRIMARY KEY,
    organisation_id     uuid NOT NULL REFERENCES organisations,
    name                text NOT NULL UNIQUE,
    environment         text NOT NULL CHECK (environment IN ('sandbox', 'live')),
    replies             text NOT NULL DEFAULT 'guest' CHECK (replies IN ('guest', 'raw')),
    active              boolean NOT NULL DEFAULT true,
    paused              boolean NOT NULL DEFAULT false,
    webhook_url         text,
    requests_per_minute integer NOT NULL DEFAULT 600 CHECK (requests_per_minute > 0),
    daily_limit         integer CHECK (daily_limit >= 0),
    default_template    text,
    otp_template        text,
    resend_unknown      boolean NOT NULL DEFAULT false,
    resend_when_recovered boolean NOT NULL DEFAULT false, -- queue failed webhooks again once their URL answers
    retention_days      integer CHECK (retention_days > 0), -- what is known of people is erased after so many days; null: kept
    allowlist           text[],                      -- null: everyone
    send_window         jsonb,                       -- {from, to, timezone}
    billing_mode        text NOT NULL DEFAULT 'ENFORCED'
                        CHECK (billing_mode IN ('ENFORCED', 'REPORT_ONLY', 'OFF')),
    belongs_to          uuid REFERENCES accounts,    -- the partner whose capacity it uses
    partner             jsonb,                       -- terms, when it is itself a partner
    declared            jsonb NOT NULL DEFAULT '{}', -- parts of the file kept until their feature reads them
    clock_ms            bigint NOT NULL DEFAULT 0 CHECK (clock_ms >= 0 AND (clock_ms = 0 OR environment = 'sandbox')),
    created_at          timestamptz NOT NULL
);

CREATE INDEX accounts_by_organisation ON accounts (organisation_id);

-- Settings changed in the portal or by a command since the account file last set them: `apply` does
-- not undo these without being told to.
CREATE TABLE account_hand_edits (
    account_id uuid NOT NULL REFERENCES accounts,
    setting    text NOT NULL,                        -- dailyLimit, or an entry: number 972555000001 perSecond
    edited_by  text NOT NULL,
    edited_at  timestamptz NOT NULL,
    PRIMARY KEY (account_id, setting)
);

CREATE TABLE api_keys (
    account_id uuid NOT NULL REFERENCES accounts,
    key_hash   bytea NOT NULL,                       -- sha256; a live key itself is shown once and not kept
    id         uuid NOT NULL,                        -- names it on pages and in the audit log
    name       text NOT NULL DEFAULT '',             -- its owner's word for it
    prefix     text NOT NULL,                        -- distinguishes the keys of an account; half of a key at most
    last4      text NOT NULL,
    sealed     bytea,                                -- of a sandbox account: the key, for samples that run as they are
    created_at timestamptz NOT NULL,
    expires_at timestamptz,                          -- set when rotated out: the overlap its owner chose
    last_used_at timestamptz,                        -- real time, to the minute
    PRIMARY KEY (account_id, key_hash),
    UNIQUE (account_id, id)
) WITH (fillfactor = 80);

CREATE UNIQUE INDEX api_keys_by_hash ON api_keys (key_hash);

CREATE TABLE signing_secrets (
    account_id uuid NOT NULL REFERENCES accounts,
    id         uuid NOT NULL,
    sealed     bytea NOT NULL,                       -- AES-256-GCM under the master key
    created_at timestamptz NOT NULL,
    expires_at timestamptz,                          -- set when rotated out: signs X-Signature-Previous until then
    PRIMARY KEY (account_id, id)
);

-- API calls of the last week (docs/decisions/0029): without secrets, texts and people's numbers.
CREATE TABLE request_log (
    account_id uuid NOT NULL,
    id         uuid NOT NULL,                        -- of the request; begins with its time
    key        text NOT NULL,                        -- how the key begins
    method     text NOT NULL,
    path       text NOT NULL,
    status     smallint NOT NULL,
    ms         integer NOT NULL,
    body_bytes integer NOT NULL,
    body       text,                                 -- redacted; null: large, secret, or one of too many
    PRIMARY KEY (account_id, id)
);

-- People who are to be erased (docs/decisions/0029-privacy.md). The number is sealed, and gone once
-- it is done: what is left says that somebody was erased, and when.
CREATE TABLE erasures (
    account_id   uuid NOT NULL REFERENCES accounts,
    id           uuid NOT NULL,
    pseudonym    text NOT NULL,                      -- what stands in the place of the number
    sealed       bytea,                              -- the number; null: done, and forgotten
    requested_at timestamptz NOT NULL,               -- real time, as all times here
    completed_at timestamptz,
    PRIMARY KEY (account_id, id),
    CONSTRAINT erasures_done CHECK (sealed IS NOT NULL OR completed_at IS NOT NULL)
);
CREATE INDEX erasures_open ON erasures (requested_at) WHERE sealed IS NOT NULL;

CREATE TABLE retention_runs (                        -- how far the old data of an account has been dealt with
    account_id uuid PRIMARY KEY REFERENCES accounts,
    ran_at     timestamptz,                          -- when people were last erased; the account's time, as below
    deleted_at timestamptz,                          -- when old rows were last deleted
    bodies_from uuid                                 -- all messages before it have lost their texts
);

-- Which transaction last changed what is configured of an account: its row, keys, secrets, numbers,
-- templates, subscriptions. Caches hold for one version; the row serialises the account's changes.
-- Apart from `accounts`, so that a change blocks no transaction that locks an account's clock.
CREATE TABLE account_versions (
    account_id uuid PRIMARY KEY REFERENCES accounts,
    version    bigint NOT NULL                       -- pg_current_xact_id(): never the same twice
) WITH (fillfactor = 50);
CREATE INDEX account_versions_by_version ON account_versions (version); -- what has changed since?

-- One row: what concerns all accounts. Every process polls its version; FOR UPDATE it serialises
-- changes of all accounts, FOR SHARE (with the account's version) those of one.
CREATE TABLE accounts_version (
    only_row   boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    version    bigint NOT NULL DEFAULT 0,
    seal_check bytea,                                -- sealed under the master key: detects a wrong one
    sending_paused_at timestamptz,                   -- set: nothing is sent, for any account
    sending_paused_by text,                          -- who paused it
    sending_paused_reason text NOT NULL DEFAULT '',  -- and why, for other operators
    epoch      integer NOT NULL DEFAULT 0,           -- how often this database was restored (docs/decisions/0040)
    restored_at timestamptz,                         -- when it last was; paused since then: held until confirmed
    CONSTRAINT accounts_version_pause CHECK ((sending_paused_at IS NULL) = (sending_paused_by IS NULL))
);
INSERT INTO accounts_version DEFAULT VALUES;

-- The request rate of each account (section 8). Unlogged: losing it in a crash only forgets a limit.
-- free_at: when the whole limit is available again; at: time of the last check; both in nanoseconds
-- since the epoch. step: nanoseconds one request costs. granted of asked were admitted.
CREATE UNLOGGED TABLE request_rate (
    account_id uuid PRIMARY KEY,
    free_at    bigint NOT NULL,
    at         bigint NOT NULL,
    step       bigint NOT NULL CHECK (step > 0),
    asked      bigint NOT NULL,
    granted    bigint NOT NULL
) WITH (fillfactor = 50);

-- Serialises the calls that move a sandbox account's clock; a lock that is not released expires.
CREATE TABLE clock_locks (
    account_id uuid PRIMARY KEY,
    expires_at timestamptz NOT NULL
);

-- =================================================================================================
-- People: who signs in to the portal, and who did what (docs/decisions/0027-sign-in.md)
-- All times here are real, also where an account's clock runs ahead.
-- =================================================================================================

CREATE TABLE people (
    id            uuid PRIMARY KEY,
    email         text NOT NULL,                     -- as it was given; compared without case
    password_hash text,                              -- argon2id with its parameters; null: never set
    is_operator   boolean NOT NULL DEFAULT false,    -- of the installation
    language      text NOT NULL DEFAULT 'en',
    totp          bytea,                             -- sealed: the secret of the second factor, once turned on
    totp_step     bigint NOT NULL DEFAULT 0,         -- of the last code used: a code is good once
    totp_pending  bytea,                             -- sealed: a secret that is being set up
    created_at    timestamptz NOT NULL
);
CREATE UNIQUE INDEX people_by_email ON people (lower(email));

CREATE TABLE recovery_codes (
    person_id uuid NOT NULL REFERENCES people ON DELETE CASCADE,
    code_hash bytea NOT NULL,                        -- sha256; deleted when used
    PRIMARY KEY (person_id, code_hash)
);

CREATE TABLE memberships (
    organisation_id uuid NOT NULL REFERENCES organisations,
    person_id       uuid NOT NULL REFERENCES people ON DELETE CASCADE,
    role            text NOT NULL CHECK (role IN ('owner', 'developer', 'sender', 'billing', 'viewer')),
    created_at      timestamptz NOT NULL,
    PRIMARY KEY (organisation_id, person_id)
);
CREATE INDEX memberships_by_person ON memberships (person_id);

CREATE TABLE sessions (
    token_hash   bytea PRIMARY KEY,                  -- sha256; the token itself is the browser's
    id           uuid NOT NULL UNIQUE,               -- what pages and the audit log call it
    person_id    uuid NOT NULL REFERENCES people ON DELETE CASCADE,
    account_id   uuid REFERENCES accounts,           -- the one chosen in the switch; null: the default
    is_complete  boolean NOT NULL,                   -- false: the second factor is still asked for
    created_at   timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL,               -- written once a minute at most
    address      text,
    user_agent   text NOT NULL DEFAULT ''
);
CREATE INDEX sessions_by_person ON sessions (person_id);
CREATE INDEX sessions_by_last_seen ON sessions (last_seen_at);

-- Links that let somebody in: for whom, into what, until when.
CREATE TABLE welcome_links (
    token_hash      bytea PRIMARY KEY,               -- sha256; the token itself is in the link
    id              uuid NOT NULL UNIQUE,
    email           text NOT NULL,
    organisation_id uuid REFERENCES organisations,   -- null: of an operator
    account_id      uuid REFERENCES accounts,        -- the one they see first; null: the default
    role            text CHECK (role IN ('owner', 'developer', 'sender', 'billing', 'viewer')),
    is_operator     boolean NOT NULL DEFAULT false,
    asks_password   boolean NOT NULL DEFAULT true,   -- false: opening the link signs in (the demo)
    resets_password boolean NOT NULL DEFAULT false,  -- of somebody who has forgotten it
    invited_by      text NOT NULL,
    created_at      timestamptz NOT NULL,
    expires_at      timestamptz NOT NULL,
    used_at         timestamptz,
    CHECK ((organisation_id IS NULL) = (role IS NULL))
);
CREATE INDEX welcome_links_by_organisation ON welcome_links (organisation_id);

-- What was tried in the last hour, by whom: sign-ins that failed, and sign-ups. Counted here, so that
-- several processes share the limits. `subject` is an address, or the hash of a person's.
CREATE TABLE sign_in_attempts (
    kind    text NOT NULL,
    subject text NOT NULL,
    at      timestamptz NOT NULL,
    id      uuid NOT NULL,
    PRIMARY KEY (kind, subject, at, id)
);
CREATE INDEX sign_in_attempts_by_time ON sign_in_attempts (at);

-- Who did what, from where; written in the transaction that did it, never changed.
CREATE TABLE audit_log (
    account_id      uuid,                            -- null: of an organisation, or of the installation
    organisation_id uuid,
    id              uuid PRIMARY KEY,                -- uuid7: in order of time
    at              timestamptz NOT NULL,
    actor_kind      text NOT NULL,                   -- person, operator, command
    actor           text NOT NULL,
    action          text NOT NULL,
    subject         text NOT NULL,
    details         jsonb NOT NULL DEFAULT '{}',
    address         text
);
CREATE INDEX audit_log_by_account ON audit_log (account_id, id) WHERE account_id IS NOT NULL;
CREATE INDEX audit_log_by_organisation ON audit_log (organisation_id, id) WHERE organisation_id IS NOT NULL;

-- =================================================================================================
-- Sending numbers: rate, rolling 24 h limits, templates
-- All times here are the account's own (docs/decisions/0013-pacing.md).
-- =================================================================================================

CREATE TABLE numbers (
    account_id      uuid NOT NULL REFERENCES accounts,
    number          text NOT NULL,
    position        integer NOT NULL,                -- order of the file: the order of preference
    display_name    text NOT NULL DEFAULT '',
    phone_number_id text,
    waba_id         text,
    portfolio_id    text,                            -- numbers of one portfolio share the 24 h limit
    access_token    bytea,                           -- sealed
    per_second      integer NOT NULL DEFAULT 80 CHECK (per_second > 0),
    daily_limit     integer CHECK (daily_limit >= 0),
    status          text NOT NULL DEFAULT 'CONNECTED',
    quality         text NOT NULL DEFAULT 'GREEN',
    -- Slots of its rate. Every accepted batch moves these on: hence the fillfactor.
    next_free_at     timestamptz,                    -- the next free slot
    otp_next_free_at timestamptz,                    -- of the share reserved for passcodes
    planned_until    timestamptz,                    -- where the next message of a batch is planned
    generation       bigint NOT NULL DEFAULT 0,      -- grows with every write of slots, of health, of counters and of what the file says
    -- Its circuit breaker: why the platform accepts nothing from it, and when a probe may be sent.
    fault     text,                                  -- the failure's code
    faults    integer NOT NULL DEFAULT 0,            -- consecutive: probes become rarer
    fault_at  timestamptz,                           -- when the circuit last opened or closed
    half_open_at   timestamptz,                      -- from then on one probe may be sent; null: at once
    rate_halvings  smallint NOT NULL DEFAULT 0,      -- by throttling
    rate_halved_at timestamptz,                      -- it recovers step by step from here
    -- What the platform reports, beside what the file says: the smaller of two limits holds.
    platform_per_second   integer CHECK (platform_per_second > 0),
    platform_daily_limit  integer CHECK (platform_daily_limit >= 0),
    platform_portfolio_id text,                      -- used where the file names none
    verified_name         text NOT NULL DEFAULT '',
    refusal               text,                      -- the platform's answer about a number it has not confirmed
    PRIMARY KEY (account_id, number)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

-- A callback names its number by the platform's id alone.
CREATE INDEX numbers_by_phone_number_id ON numbers (phone_number_id) WHERE phone_number_id IS NOT NULL;

CREATE TABLE number_changes (                        -- the history of status, quality and limit
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id uuid NOT NULL,
    number     text NOT NULL,
    at         timestamptz NOT NULL,                 -- the account's time
    what       text NOT NULL CHECK (what IN ('status', 'quality', 'limit')),
    before     text,                                 -- null: no limit
    after      text,
    FOREIGN KEY (account_id, number) REFERENCES numbers ON DELETE CASCADE
);

CREATE INDEX number_changes_in_order ON number_changes (account_id, number, id);

CREATE TABLE rolling_counters (                      -- quota reservations, by the minute
    account_id uuid NOT NULL,
    counter    text NOT NULL,                        -- account, number:<number>, portfolio:<id>
    minute     timestamptz NOT NULL,                 -- its beginning; may lie ahead
    used       integer NOT NULL CHECK (used >= 0),
    last_at    timestamptz NOT NULL,                 -- 24 h after it the whole minute expires
    PRIMARY KEY (account_id, counter, minute)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

CREATE TABLE unique_recipients (                     -- messaged outside a conversation
    account_id uuid NOT NULL,
    counter    text NOT NULL,
    phone      text NOT NULL,
    counted_at timestamptz NOT NULL,                 -- for 24 h they are not counted again
    holders    integer NOT NULL CHECK (holders > 0), -- messages that rely on this count
    PRIMARY KEY (account_id, counter, phone)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);

CREATE TABLE templates (
    account_id  uuid NOT NULL REFERENCES accounts,
    name        text NOT NULL,
    language    text NOT NULL,
    category    text NOT NULL,
    status      text NOT NULL,
    header      text,                                -- TEXT, IMAGE, DOCUMENT
    header_text text NOT NULL DEFAULT '',
    body        text NOT NULL DEFAULT '',
    footer      text NOT NULL DEFAULT '',
    buttons     jsonb NOT NULL DEFAULT '[]',
    names       jsonb NOT NULL DEFAULT '[]',         -- of variables that have names, header first
    problem     text NOT NULL DEFAULT '',            -- why it cannot be sent, beside its status
    PRIMARY KEY (account_id, name, language)
);

-- When a verified callback last came for an account: silence is meaningful only while this is recent.
-- Written every few seconds at most, so it may lag by as much.
CREATE TABLE callback_channels (
    account_id uuid PRIMARY KEY,
    last_at    timestamptz NOT NULL                  -- real time
) WITH (fillfactor = 50);

-- =================================================================================================
-- Files and links
-- =================================================================================================

-- Uploaded files (4.5). The bytes are an object in storage, whose name is used once: removing an
-- object can then never meet another upload of the same content.
CREATE TABLE media (
    account_id uuid NOT NULL,
    id         uuid NOT NULL,                        -- med_...: says nothing about the content
    object_name bytea NOT NULL CHECK (octet_length(object_name) = 32), -- names the stored object; random, used once
    sha256     bytea NOT NULL CHECK (octet_length(sha256) = 32), -- of the content
    mimetype   text NOT NULL CHECK (mimetype IN ('image/jpeg', 'image/png', 'application/pdf')),
    bytes      integer NOT NULL CHECK (bytes > 0),
    filename   text NOT NULL CHECK (filename <> ''),
    created_at timestamptz NOT NULL,                 -- the account's time
    valid_until timestamptz,                         -- of the mediaId of an upload, real time; null: came in a message
    PRIMARY KEY (account_id, id),
    UNIQUE (account_id, object_name),
    UNIQUE (account_id, sha256)                      -- the same bytes are one upload, per account
);

CREATE INDEX media_by_validity ON media (valid_until);

-- References that keep a file: a message that has not been sent yet (id), or a request that is about
-- to create one (an id of its own, until `held_until`).
CREATE TABLE media_uses (
    account_id uuid NOT NULL,
    id         uuid NOT NULL,
    media_id   uuid NOT NULL,
    held_until timestamptz,                          -- real time; NULL: `id` is a message
    PRIMARY KEY (account_id, id)
);
CREATE INDEX media_uses_by_media ON media_uses (account_id, media_id);
CREATE INDEX media_uses_held ON media_uses (held_until) WHERE held_until IS NOT NULL;

CREATE TABLE media_storage (                         -- what an account's files take up
    account_id uuid PRIMARY KEY,
    bytes      bigint NOT NULL
);

CREATE TABLE platform_media (                        -- an uploaded file is sent by its id there
    account_id  uuid NOT NULL,
    media_id    uuid NOT NULL,                       -- ours: one per account and content
    phone_number_id text NOT NULL,                   -- it was uploaded for this one
    platform_id text NOT NULL,
    uploaded_at timestamptz NOT NULL,                -- real time; the platform keeps it for 30 days
    PRIMARY KEY (account_id, media_id, phone_number_id)
);

-- Files that guests sent (4.13): where the platform has them. Their bytes are never stored here.
CREATE TABLE inbound_media (
    account_id  uuid NOT NULL,
    platform_id text NOT NULL,                       -- of the message it came with
    type        text NOT NULL,                       -- image, document, audio, video, sticker
    media_id    text NOT NULL,                       -- the platform's, for 7 days
    mimetype    text NOT NULL,
    filename    text NOT NULL DEFAULT '',
    number      text NOT NULL,                       -- ours that it was sent to: its token fetches it
    received_at timestamptz NOT NULL,                -- the account's time
    PRIMARY KEY (account_id, platform_id)
);
CREATE INDEX inbound_media_by_age ON inbound_media (received_at);

-- Redirect links (4.8): where they lead, and how often they were opened.
CREATE TABLE links (
    account_id        uuid NOT NULL,
    code              text NOT NULL,                 -- random; /r/{code} names no account
    url               text NOT NULL,                 -- as it passed INVALID_URL, and never changed
    event_id          text,
    client_message_id text,
    expires_at        timestamptz,                   -- this and all times below: the account's
    created_at        timestamptz NOT NULL,
    clicks            bigint NOT NULL DEFAULT 0 CHECK (clicks >= 0),
    first_click_at    timestamptz,
    last_click_at     timestamptz,
    active            boolean NOT NULL DEFAULT true, -- false: switched off by hand
    PRIMARY KEY (account_id, code),
    CONSTRAINT links_clicks_have_times CHECK (
        (clicks = 0) = (first_click_at IS NULL) AND (clicks = 0) = (last_click_at IS NULL)
        AND first_click_at <= last_click_at)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);

CREATE UNIQUE INDEX links_by_code ON links (code);
-- No index holds a column that an open changes: counting stays a heap-only update.
CREATE INDEX links_in_order ON links (account_id, created_at, code);
CREATE INDEX links_of_event ON links (account_id, event_id, created_at, code) WHERE event_id IS NOT NULL;

CREATE TABLE link_days (                             -- the opens in sums; a link without any has none
    account_id uuid NOT NULL,
    code       text NOT NULL,
    day        date NOT NULL,                        -- UTC, of the account's time
    clicks     bigint NOT NULL CHECK (clicks > 0),
    PRIMARY KEY (account_id, code, day),
    FOREIGN KEY (account_id, code) REFERENCES links ON DELETE CASCADE
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);

-- A link that could be led elsewhere after it was sent would be an open redirect (reliability T7).
CREATE FUNCTION links_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a link keeps its code and its destination' USING ERRCODE = 'check_violation';
END $$;

CREATE TRIGGER links_keep_destination BEFORE UPDATE OF account_id, code, url ON links
    FOR EACH ROW WHEN ((OLD.account_id, OLD.code, OLD.url) IS DISTINCT FROM (NEW.account_id, NEW.code, NEW.url))
    EXECUTE FUNCTION links_refuse_change();

-- =================================================================================================
-- Messages, recipients and replies
-- All times here are the account's own.
-- =================================================================================================

CREATE TABLE contacts (
    account_id    uuid NOT NULL,
    phone         text NOT NULL,
    number        text,                              -- the number this person knows us by
    delivered_at  timestamptz,                       -- first delivery: numbers/check
    opted_out_at  timestamptz,
    opt_source    text,                              -- reply, platform
    PRIMARY KEY (account_id, phone)
);
CREATE INDEX contacts_opted_out ON contacts (account_id, opted_out_at, phone) WHERE opted_out_at IS NOT NULL;

CREATE TABLE conversations (                         -- the 24 h window is per our number and person
    account_id    uuid NOT NULL,
    phone         text NOT NULL,
    number        text NOT NULL,
    last_inbound_at timestamptz NOT NULL,            -- opens the window for 24 h
    PRIMARY KEY (account_id, phone, number)
);

CREATE TABLE idempotency_keys (                      -- clientMessageIds, for 48 hours (4.1); purged after 72
    account_id        uuid NOT NULL,
    client_message_id text NOT NULL,
    message_id        uuid NOT NULL,
    used_at           timestamptz NOT NULL,
    PRIMARY KEY (account_id, client_message_id)
) WITH (autovacuum_vacuum_scale_factor = 0.05);

CREATE TABLE messages (
    account_id        uuid NOT NULL,
    id                uuid NOT NULL,
    client_message_id text NOT NULL,
    kind              text NOT NULL,                 -- notification, invitation, otp, feedback
    recipient         text NOT NULL,
    recipient_given   text,                          -- as the caller wrote it, where that differs
    content           jsonb NOT NULL,                -- platforms/content.py
    fallback_content  jsonb,                         -- the template that replaces free content outside the window
    meta              text,                          -- the caller's JSON, verbatim
    status            text NOT NULL CHECK (status IN ('scheduled', 'queued', 'deferred', 'sending',
                      'sent', 'delivered', 'read', 'failed', 'expired', 'cancelled')),
    reason            text,                          -- why it waits
    retry_at          timestamptz,                   -- until when, where a time is known
    notified_reasons  text[] NOT NULL DEFAULT '{}',  -- message.deferred is published once per reason
    created_at        timestamptz NOT NULL,
    scheduled_for     timestamptz,
    deadline          timestamptz,
    expires_at        timestamptz,                   -- until when an invitation may be answered
    event_id          text,
    batch_id          uuid,
    charge            text,                          -- whether and as what it was charged
    cancel_requested  boolean NOT NULL DEFAULT false, -- while being sent: cancelled if the platform refuses it
    reserved_at       timestamptz,                   -- the time of its quota reservation in the rolling limits
    recipient_counter text,                          -- the limit of new recipients it counts in
    planned_at        timestamptz,                   -- its slot of the number's rate
    requested_number  text,                          -- sentFrom, as requested
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
) PARTITION BY RANGE (id);
CREATE TABLE messages_default PARTITION OF messages DEFAULT
    WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);

-- No index holds a column that changes with a message's status, so an update stays on its page and
-- touches no index (PostgreSQL's heap-only tuples). What finds a message by a later fact is a table of
-- its own, written once.
CREATE INDEX messages_by_client_id ON messages (account_id, client_message_id, id); -- idempotency keys go after 72 h
CREATE INDEX messages_by_recipient ON messages (account_id, recipient, id);
CREATE INDEX messages_by_timeout ON messages (account_id, times_out_at);
CREATE INDEX messages_by_batch ON messages (account_id, batch_id, id) WHERE batch_id IS NOT NULL;
CREATE INDEX messages_by_event ON messages (account_id, event_id, id) WHERE event_id IS NOT NULL;
CREATE INDEX messages_by_kind ON messages (account_id, kind, id) WHERE kind <> 'notification';

CREATE TABLE platform_ids (                          -- a platform id is unique there; the first message keeps it
    account_id  uuid NOT NULL,
    platform_id text NOT NULL,
    message_id  uuid NOT NULL,
    PRIMARY KEY (account_id, platform_id, message_id)
) PARTITION BY RANGE (message_id);
CREATE TABLE platform_ids_default PARTITION OF platform_ids DEFAULT
    WITH (autovacuum_vacuum_insert_scale_factor = 0.1);

-- Messages that failed, expired or were cancelled, so that lists find them among a million others.
-- Written once: one that arrived after all keeps its row, and its status in `messages` decides.
CREATE TABLE lost_messages (
    account_id uuid NOT NULL,
    status     text NOT NULL,
    message_id uuid NOT NULL,
    PRIMARY KEY (account_id, status, message_id)
) PARTITION BY RANGE (message_id);
CREATE TABLE lost_messages_default PARTITION OF lost_messages DEFAULT
    WITH (autovacuum_vacuum_insert_scale_factor = 0.1);

-- Months of messages that were dropped as a whole (docs/decisions/0034). What belongs to their messages
-- in tables without months is deleted in the hours after it.
CREATE TABLE dropped_months (
    first_id   uuid PRIMARY KEY,                     -- ids of its messages: from this one
    end_id     uuid NOT NULL,                        -- to before this one
    dropped_at timestamptz NOT NULL,
    swept_at   timestamptz                           -- nothing is left that belongs to them
);

-- How far an account's time-outs have been examined: no sent message that times out before
-- `examined_until` is left.
CREATE TABLE timeout_watermarks (
    account_id     uuid PRIMARY KEY,
    examined_until timestamptz,                      -- the account's time; NULL: nothing yet
    version        bigint NOT NULL DEFAULT 0         -- raised by whoever adds an earlier time-out
);

CREATE TABLE batches (
    account_id   uuid NOT NULL,
    id           uuid NOT NULL,
    name         text NOT NULL,
    event_id     text,
    total        integer NOT NULL,                   -- accepted messages
    rejected     integer NOT NULL DEFAULT 0,
    duplicates   integer NOT NULL DEFAULT 0,
    to_come      integer NOT NULL DEFAULT 0 CHECK (to_come >= 0), -- rows of an upload that are still to be accepted
    created_at   timestamptz NOT NULL,
    estimated_at timestamptz,                        -- when the last was expected to be sent; null: not known
    cancelled_at timestamptz,
    completed_at timestamptz,
    published_percent integer NOT NULL DEFAULT 0,         -- of the last batch.progress
    published_at      timestamptz,
    PRIMARY KEY (account_id, id)
);

-- A CSV file on its way to become a batch: its cells, until it is sent or a day has passed.
CREATE TABLE batch_drafts (
    account_id    uuid NOT NULL,
    id            uuid NOT NULL,                     -- becomes the batch's
    name          text NOT NULL,
    template_name text NOT NULL,
    template_lang text NOT NULL,
    columns       text,                              -- JSON; null: not chosen yet
    content       bytea NOT NULL,                    -- compressed
    created_at    timestamptz NOT NULL,              -- real time
    PRIMARY KEY (account_id, id)
);
CREATE INDEX batch_drafts_by_age ON batch_drafts (created_at);

CREATE TABLE batch_parts (                           -- rows of an upload that are still to be accepted
    account_id uuid NOT NULL,
    batch_id   uuid NOT NULL,
    part       integer NOT NULL,
    content    bytea NOT NULL,                       -- compressed
    PRIMARY KEY (account_id, batch_id, part)
);

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
CREATE INDEX inbound_by_age ON inbound (account_id, at);
CREATE INDEX inbound_with_text ON inbound (account_id, at) WHERE raw <> '{}';

-- Callbacks that belong to no account: kept so that they can be processed again (tidings callbacks).
CREATE TABLE callback_dead_letters (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    received_at timestamptz NOT NULL,                -- real time
    reason      text NOT NULL,
    body        bytea NOT NULL                       -- can be read again
);
CREATE INDEX callback_dead_letters_by_age ON callback_dead_letters (received_at);

-- Secrets that must be forgotten (docs/decisions/0014): passcodes, until they are sent or expire.
-- The keys are files outside this database and are destroyed by the hour, so that what is left of
-- a row in a backup, in the WAL or in a dead tuple cannot be read any more.
CREATE TABLE vault (
    account_id uuid NOT NULL,
    subject    text NOT NULL,                        -- what the secret belongs to: a message's id
    key_id     text NOT NULL,                        -- the hour whose key opens it
    ciphertext bytea NOT NULL,                       -- nonce, then AES-256-GCM of the padded secret
    expires_at timestamptz NOT NULL,                 -- real time, whatever the account's clock says
    PRIMARY KEY (account_id, subject)
) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);
CREATE INDEX vault_by_expiry ON vault (expires_at);

-- =================================================================================================
-- Events and invitations (4.10)
-- All times here are the account's own.
-- =================================================================================================

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
CREATE INDEX events_by_age ON events (account_id, created_at, event_id);

-- The callbackUrl of a registered event (6.1), where webhooks look it up.
CREATE TABLE callback_urls (
    account_id uuid NOT NULL,
    event_id   text NOT NULL,
    url        text NOT NULL,
    PRIMARY KEY (account_id, event_id)
);

-- What an invitation is waiting for, beside its message: open until answered or over. Its state is
-- not stored; it follows from these columns and the time (features/events/invitation_states.py).
CREATE TABLE invitations (
    account_id   uuid NOT NULL,
    message_id   uuid NOT NULL,
    event_id     text,
    phone        text NOT NULL,                      -- the guest
    expires_at   timestamptz NOT NULL,
    ends_with_event boolean NOT NULL DEFAULT false,  -- expires_at is the event's, and moves with it
    sent_at      timestamptz,
    lost         boolean NOT NULL DEFAULT false,     -- its message failed, expired or was cancelled
    answer       text CHECK (answer IN ('yes', 'no')),
    guests       integer CHECK (guests >= 0),
    answered_at  timestamptz,                        -- when the guest wrote it
    unclear      jsonb,                              -- the last reply that was not understood
    said_invalid boolean NOT NULL DEFAULT false,     -- texts that went to the guest, each once
    said_nudge   boolean NOT NULL DEFAULT false,
    said_expired boolean NOT NULL DEFAULT false,
    unresolved   boolean NOT NULL DEFAULT false,     -- guest.unresolved was published
    late         boolean NOT NULL DEFAULT false,     -- guest.replied_late was sent since the last answer
    confidence   real CHECK (confidence BETWEEN 0 AND 1), -- of the last answer; 0: a reply was not understood
    reply_text   text,                               -- of the last reply, understood or not
    replied_at   timestamptz,
    PRIMARY KEY (account_id, message_id),
    CONSTRAINT invitations_answer CHECK (
        (answer IS NULL) = (answered_at IS NULL) AND (guests IS NULL OR answer = 'yes')),
    CONSTRAINT invitations_unresolved CHECK (NOT unresolved OR unclear IS NOT NULL)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);

-- No index holds a column that changes with an invitation's sending (see messages). The last two hold
-- what a reply or a failure changes: an update that does not change those columns touches neither.
-- The last three are for lists (features/events/guest_store.py). Their expression keeps them from
-- other queries: without statistics the planner would search a whole event for one guest.
CREATE INDEX invitations_of_guest ON invitations (account_id, phone, expires_at);
CREATE INDEX invitations_of_event_guest ON invitations (account_id, event_id, phone, message_id)
    WHERE event_id IS NOT NULL;
CREATE INDEX invitations_listed ON invitations (account_id, coalesce(event_id, ''), message_id);
CREATE INDEX invitations_answered ON invitations (account_id, coalesce(event_id, ''), answer, message_id)
    WHERE answer IS NOT NULL;
CREATE INDEX invitations_to_review ON invitations (account_id, coalesce(event_id, ''), message_id)
    WHERE unclear IS NOT NULL OR late OR lost;
CREATE INDEX invitations_with_text ON invitations (account_id, expires_at) WHERE reply_text IS NOT NULL;

-- Counted guests of larger events (features/events/counting.py). Unlogged: it can be counted again.
CREATE UNLOGGED TABLE event_counts (
    account_id  uuid NOT NULL,
    event_id    text NOT NULL,
    counts      jsonb NOT NULL,                      -- features/events/model.py: Counts
    answers     jsonb NOT NULL,                      -- [[minute, yes, no]]: Answers
    counted_at  timestamptz NOT NULL,                -- real time
    holds_until timestamptz,                         -- the next end of an open invitation; the account's time
    snapshot    xid8 NOT NULL,                       -- transactions before it were over when this was counted
    PRIMARY KEY (account_id, event_id)
) WITH (fillfactor = 50);

-- =================================================================================================
-- Feedback forms (4.6)
-- Versions, where the platform has them, who got one, what came back. All times here are the account's
-- own, but for those of form_flows.
-- =================================================================================================

CREATE TABLE forms (
    account_id uuid NOT NULL REFERENCES accounts,
    form_id    text NOT NULL,
    declared   boolean NOT NULL,                     -- by the file of `tidings apply`
    declared_as jsonb,                               -- what the file said last; only another word of it changes the form
    retired_at timestamptz,                          -- the file does not name it any more
    created_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, form_id)
);
CREATE INDEX forms_in_order ON forms (account_id, created_at, form_id);

CREATE TABLE form_versions (
    account_id uuid NOT NULL,
    form_id    text NOT NULL,
    version    integer NOT NULL CHECK (version > 0),
    state      text NOT NULL CHECK (state IN ('draft', 'submitted', 'approved', 'published', 'superseded')),
    content    jsonb NOT NULL,                       -- features/feedback/model.py: Form; only a draft's changes
    remark     text,                                 -- why an operator sent it back
    created_at timestamptz NOT NULL,
    moved_at   timestamptz NOT NULL,                 -- when its state last changed
    PRIMARY KEY (account_id, form_id, version),
    FOREIGN KEY (account_id, form_id) REFERENCES forms
);
-- What waits for an operator, in all accounts.
CREATE INDEX form_versions_submitted ON form_versions (moved_at) WHERE state = 'submitted';

CREATE TABLE form_flows (                            -- live: one for each business account at the platform
    account_id uuid NOT NULL,
    form_id    text NOT NULL,
    version    integer NOT NULL,
    waba_id    text NOT NULL,
    flow_id    text,
    stage      text NOT NULL CHECK (stage IN ('pending', 'draft', 'filled', 'published', 'offered')),
    problem    text,                                 -- why it went no further
    tried_at   timestamptz NOT NULL,                 -- real time
    PRIMARY KEY (account_id, form_id, version, waba_id),
    FOREIGN KEY (account_id, form_id, version) REFERENCES form_versions,
    CONSTRAINT form_flows_id CHECK ((stage = 'pending') = (flow_id IS NULL))
);

CREATE TABLE form_sends (
    account_id  uuid NOT NULL,
    id          uuid NOT NULL,
    form_id     text NOT NULL,
    version     integer NOT NULL,
    phone       text NOT NULL,
    message_id  uuid NOT NULL,
    created_at  timestamptz NOT NULL,
    freed       boolean NOT NULL DEFAULT false,      -- not delivered; another send may replace it
    answered_at timestamptz,                         -- the first answer; kept when the answers are forgotten
    counted     boolean NOT NULL DEFAULT true,       -- in form_counts.sent: not what failed or was freed
    PRIMARY KEY (account_id, id)
);
-- Once per number (4.6).
CREATE UNIQUE INDEX form_sends_once ON form_sends (account_id, form_id, phone) WHERE NOT freed;
CREATE UNIQUE INDEX form_sends_of_message ON form_sends (account_id, message_id);
CREATE INDEX form_sends_of_person ON form_sends (account_id, phone, form_id);
CREATE INDEX form_sends_answered ON form_sends (account_id, form_id, answered_at, id) WHERE answered_at IS NOT NULL;

CREATE TABLE form_counts (                           -- the sends in sums
    account_id uuid NOT NULL,
    form_id    text NOT NULL,
    version    integer NOT NULL,
    sent       bigint NOT NULL DEFAULT 0 CHECK (sent >= 0),
    answered   bigint NOT NULL DEFAULT 0 CHECK (answered >= 0),
    PRIMARY KEY (account_id, form_id, version)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

CREATE TABLE form_answers (                          -- a row for each question that was answered
    account_id  uuid NOT NULL,
    send_id     uuid NOT NULL,
    position    smallint NOT NULL,                   -- of the question in its version, from 0
    form_id     text NOT NULL,
    version     integer NOT NULL,
    question_id text NOT NULL,
    type        text NOT NULL CHECK (type IN ('rating', 'single', 'multi', 'comment')),
    value       jsonb NOT NULL,                      -- a number, a text, a list of texts
    at          timestamptz NOT NULL,
    PRIMARY KEY (account_id, send_id, position),
    FOREIGN KEY (account_id, send_id) REFERENCES form_sends
);
CREATE INDEX form_answers_comments ON form_answers (account_id, form_id, question_id, at, send_id) WHERE type = 'comment';

CREATE TABLE form_tallies (                          -- the answers in sums
    account_id  uuid NOT NULL,
    form_id     text NOT NULL,
    question_id text NOT NULL,
    choice      text NOT NULL,                       -- as JSON: 5, "Fish"; empty: whoever answered the question
    people      bigint NOT NULL CHECK (people >= 0),
    PRIMARY KEY (account_id, form_id, question_id, choice)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX form_answers_of_form ON form_answers (account_id, form_id);

-- =================================================================================================
-- Billing (2.8, 2.9)
-- All times here are the account's own; prices are millionths, amounts minor units (docs/decisions/0022-charging.md).
-- =================================================================================================

CREATE TABLE subscriptions (                         -- what was agreed; changes with the file alone
    account_id           uuid NOT NULL REFERENCES accounts,
    id                   integer NOT NULL,           -- 1, 2, 3 ... in an account
    package              text NOT NULL,
    billing_type         text NOT NULL CHECK (billing_type IN ('PACKAGE', 'MONTHLY', 'USAGE')),
    unique_quota         integer NOT NULL CHECK (unique_quota >= 0),
    followup_quota       integer NOT NULL CHECK (followup_quota >= 0),
    starts_at            timestamptz NOT NULL,
    ends_at              timestamptz,                -- as agreed: then it is EXPIRED
    ended_at             timestamptz,                -- taken away or replaced: then it is CANCELLED
    currency             text NOT NULL,
    vat_hundredths       integer NOT NULL CHECK (vat_hundredths BETWEEN 0 AND 10000),
    unique_price_micro   bigint NOT NULL DEFAULT 0 CHECK (unique_price_micro >= 0),
    followup_price_micro bigint NOT NULL DEFAULT 0 CHECK (followup_price_micro >= 0),
    monthly_minor        bigint NOT NULL DEFAULT 0 CHECK (monthly_minor >= 0),
    credit_limit_minor   bigint CHECK (credit_limit_minor >= 0),
    created_at           timestamptz NOT NULL,       -- what ended before is not invoiced
    PRIMARY KEY (account_id, id)
);

CREATE TABLE subscription_terms (                    -- a package is one, otherwise each month is
    account_id      uuid NOT NULL,
    subscription_id integer NOT NULL,
    term            integer NOT NULL CHECK (term >= 0),
    starts_at       timestamptz NOT NULL,
    unique_quota    integer NOT NULL,
    followup_quota  integer NOT NULL,
    unique_used     integer NOT NULL DEFAULT 0 CHECK (unique_used >= 0),
    followup_used   integer NOT NULL DEFAULT 0 CHECK (followup_used >= 0),
    accrued_micro   bigint NOT NULL DEFAULT 0,       -- booked in this term: below zero where more was refunded
    carried_micro   bigint NOT NULL DEFAULT 0 CHECK (carried_micro <= 0), -- credit of the term before
    may_exceed      boolean NOT NULL DEFAULT false,  -- charged without being enforced, or the quota was lowered
    closed_at       timestamptz,                     -- over: no charge is added any more
    invoice_number  text,
    PRIMARY KEY (account_id, subscription_id, term),
    FOREIGN KEY (account_id, subscription_id) REFERENCES subscriptions,
    CONSTRAINT subscription_terms_quota CHECK (
        may_exceed OR (unique_used <= unique_quota AND followup_used <= followup_quota))
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

-- Each charge is reserved once, and settled or refunded at most once: the key sees to both.
CREATE TABLE charges (
    account_id      uuid NOT NULL,
    message_id      uuid NOT NULL,
    entry           text NOT NULL CHECK (entry IN ('RESERVE', 'SETTLE', 'REFUND')),
    resolves        boolean GENERATED ALWAYS AS (entry <> 'RESERVE') STORED,
    kind            text NOT NULL CHECK (kind IN ('UNIQUE', 'FOLLOWUP', 'CAPACITY')),
    subscription_id integer,                         -- whose quota it takes,
    term            integer,
    partner_id      uuid,                            -- or whose capacity
    price_micro     bigint NOT NULL DEFAULT 0,
    at              timestamptz NOT NULL,
    PRIMARY KEY (account_id, message_id, resolves),
    CONSTRAINT charges_source CHECK ((kind = 'CAPACITY') = (subscription_id IS NULL)
        AND (subscription_id IS NULL) = (term IS NULL)
        AND (partner_id IS NULL OR kind = 'CAPACITY'))
) PARTITION BY RANGE (message_id);
CREATE TABLE charges_default PARTITION OF charges DEFAULT
    WITH (autovacuum_vacuum_insert_scale_factor = 0.1);

-- Deleting needs the word of the transaction that keeps their sums (billing/charging/sum_store.py).
CREATE FUNCTION charges_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND current_setting('tidings.sums_charges', true) = 'on' THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'charges are only ever added to' USING ERRCODE = 'check_violation';
END $$;

CREATE TRIGGER charges_keep BEFORE UPDATE OR DELETE ON charges
    FOR EACH ROW EXECUTE FUNCTION charges_refuse_change();
CREATE TRIGGER charges_stay BEFORE TRUNCATE ON charges
    FOR EACH STATEMENT EXECUTE FUNCTION charges_refuse_change();

-- Charges of messages that are gone, in sums; written in the transaction that deletes them.
CREATE TABLE charge_sums (
    account_id      uuid NOT NULL,
    subscription_id integer,                         -- as in charges
    term            integer,
    partner_id      uuid,
    kind            text NOT NULL,
    price_micro     bigint NOT NULL,
    charged         bigint NOT NULL CHECK (charged >= 0),
    refunded        bigint NOT NULL CHECK (refunded BETWEEN 0 AND charged),
    UNIQUE NULLS NOT DISTINCT (account_id, subscription_id, term, partner_id, kind, price_micro)
);

CREATE TABLE charged_numbers (                       -- who has had the unique message
    account_id      uuid NOT NULL,
    subscription_id integer NOT NULL,
    phone           text NOT NULL,
    message_id      uuid NOT NULL,                   -- refunding it releases the number
    PRIMARY KEY (account_id, subscription_id, phone)
);

CREATE TABLE usage_days (                            -- the charges in sums: trends and invoices read these
    account_id      uuid NOT NULL,
    day             date NOT NULL,                   -- UTC, of the account's time
    subscription_id integer NOT NULL,                -- 0: a partner's capacity
    term            integer NOT NULL,                -- in whose invoice it is
    kind            text NOT NULL,
    price_micro     bigint NOT NULL,
    charged         integer NOT NULL DEFAULT 0 CHECK (charged >= 0),
    refunded        integer NOT NULL DEFAULT 0 CHECK (refunded >= 0),
    PRIMARY KEY (account_id, day, subscription_id, term, kind, price_micro)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

CREATE TABLE invoices (
    account_id     uuid NOT NULL REFERENCES accounts,
    number         text NOT NULL CHECK (number <> ''),
    kind           text NOT NULL,
    status         text NOT NULL CHECK (status IN ('OPEN', 'OVERDUE', 'PAID', 'VOID')), -- OPEN past due_at is OVERDUE
    declared       boolean NOT NULL DEFAULT false,   -- by the file of `tidings apply`, not by ourselves
    currency       text NOT NULL,
    vat_hundredths integer NOT NULL CHECK (vat_hundredths BETWEEN 0 AND 10000), -- of a percent
    subtotal_minor bigint NOT NULL,
    vat_minor      bigint NOT NULL,
    total_minor    bigint NOT NULL,
    issued_at      timestamptz NOT NULL,
    due_at         timestamptz NOT NULL,
    paid_at        timestamptz,
    paid_by        text,                             -- the payment provider
    voided_at      timestamptz,
    PRIMARY KEY (account_id, number),
    CONSTRAINT invoices_total CHECK (total_minor = subtotal_minor + vat_minor),
    CONSTRAINT invoices_due CHECK (due_at >= issued_at),
    CONSTRAINT invoices_paid CHECK ((status = 'PAID') = (paid_at IS NOT NULL) AND (paid_at IS NULL) = (paid_by IS NULL)),
    CONSTRAINT invoices_voided CHECK ((status = 'VOID') = (voided_at IS NOT NULL))
);
CREATE INDEX invoices_in_order ON invoices (account_id, issued_at, number COLLATE "C");
CREATE INDEX invoices_everyones ON invoices (issued_at, account_id, number COLLATE "C");
CREATE INDEX invoices_unpaid ON invoices (account_id, due_at) WHERE status IN ('OPEN', 'OVERDUE');

CREATE TABLE invoice_lines (
    account_id       uuid NOT NULL,
    number           text NOT NULL,
    position         integer NOT NULL CHECK (position > 0),
    description      text NOT NULL,
    quantity         bigint NOT NULL CHECK (quantity >= 0),
    unit_price_micro bigint NOT NULL,                -- millionths
    amount_minor     bigint NOT NULL,
    PRIMARY KEY (account_id, number, position),
    FOREIGN KEY (account_id, number) REFERENCES invoices
);

CREATE TABLE invoice_numbers (                       -- the row is the lock that leaves no gap
    account_id uuid NOT NULL REFERENCES accounts,
    year       integer NOT NULL,
    last       integer NOT NULL CHECK (last > 0),
    PRIMARY KEY (account_id, year)
);

-- =================================================================================================
-- Partners (2.10, 2.11)
-- What they bought, used and owe, and every step on the way there.
-- =================================================================================================

CREATE TABLE partners (
    account_id     uuid PRIMARY KEY REFERENCES accounts,
    currency       text NOT NULL,                    -- fixed by the first entry of the ledger
    capacity_total bigint NOT NULL DEFAULT 0,        -- messages bought
    capacity_used  bigint NOT NULL DEFAULT 0,
    debt_minor     bigint NOT NULL DEFAULT 0,        -- below zero: the partner has credit
    carried_micro  integer NOT NULL DEFAULT 0,       -- millionths that rounding left to the next top-up
    entries        bigint NOT NULL DEFAULT 0,        -- the last seq of the ledger
    CONSTRAINT partners_capacity CHECK (0 <= capacity_used AND capacity_used <= capacity_total),
    CONSTRAINT partners_carry CHECK (-5000 <= carried_micro AND carried_micro < 5000)
) WITH (fillfactor = 50);

CREATE TABLE partner_transfers (
    account_id     uuid NOT NULL REFERENCES accounts,
    reference      text NOT NULL CHECK (reference <> '' AND reference = btrim(reference)),
    amount_minor   bigint NOT NULL CHECK (amount_minor > 0),     -- as reported
    transfer_date  date,
    note           text,
    status         text NOT NULL DEFAULT 'REPORTED' CHECK (status IN ('REPORTED', 'CONFIRMED', 'REJECTED')),
    reported_at    timestamptz NOT NULL,
    settled_at     timestamptz,
    received_minor bigint CHECK (received_minor > 0),
    PRIMARY KEY (account_id, reference),
    CONSTRAINT partner_transfers_settled CHECK (
        (status = 'REPORTED') = (settled_at IS NULL) AND (status = 'CONFIRMED') = (received_minor IS NOT NULL))
);
CREATE INDEX partner_transfers_pending ON partner_transfers (account_id, reported_at) WHERE status = 'REPORTED';
CREATE INDEX partner_transfers_settled_last ON partner_transfers (settled_at, account_id, reference) WHERE settled_at IS NOT NULL;

CREATE TABLE partner_ledger (
    account_id          uuid NOT NULL REFERENCES partners,
    seq                 bigint NOT NULL CHECK (seq > 0),         -- 1, 2, 3 ... without a gap
    id                  uuid NOT NULL,
    kind                text NOT NULL CHECK (kind IN
                        ('TOPUP', 'TRANSFER_REPORTED', 'TRANSFER_CONFIRMED', 'TRANSFER_REJECTED', 'ADJUSTMENT')),
    at                  timestamptz NOT NULL,
    messages            bigint,                      -- added to the capacity
    amount_minor        bigint NOT NULL,             -- as shown: what was bought, reported, received or adjusted
    effect_minor        bigint NOT NULL,             -- on what is owed
    balance_after_minor bigint NOT NULL,
    limit_minor         bigint,                      -- of a top-up: the credit limit it kept to
    reference           text,
    note                text,
    PRIMARY KEY (account_id, seq),
    CONSTRAINT partner_ledger_effect CHECK (effect_minor = CASE kind
        WHEN 'TOPUP' THEN amount_minor WHEN 'ADJUSTMENT' THEN amount_minor
        WHEN 'TRANSFER_CONFIRMED' THEN -amount_minor ELSE 0 END),
    CONSTRAINT partner_ledger_topup CHECK (kind <> 'TOPUP' OR (messages > 0 AND amount_minor >= 0
        AND limit_minor IS NOT NULL AND balance_after_minor <= limit_minor)),
    CONSTRAINT partner_ledger_transfer CHECK (
        kind NOT LIKE 'TRANSFER%' OR (reference IS NOT NULL AND messages IS NULL AND amount_minor > 0))
);
-- A reference is reported once, settled once, and adjusted by once.
CREATE UNIQUE INDEX partner_ledger_once ON partner_ledger (account_id, reference, (CASE kind
    WHEN 'TRANSFER_REPORTED' THEN 'reported' WHEN 'ADJUSTMENT' THEN 'adjusted' ELSE 'settled' END))
    WHERE reference IS NOT NULL;

CREATE UNIQUE INDEX partner_ledger_id ON partner_ledger (account_id, id);

CREATE FUNCTION partner_ledger_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the ledger is only ever added to' USING ERRCODE = 'check_violation';
END $$;

CREATE TRIGGER partner_ledger_keeps BEFORE UPDATE OR DELETE ON partner_ledger
    FOR EACH ROW EXECUTE FUNCTION partner_ledger_refuse_change();
CREATE TRIGGER partner_ledger_stays BEFORE TRUNCATE ON partner_ledger
    FOR EACH STATEMENT EXECUTE FUNCTION partner_ledger_refuse_change();

-- =================================================================================================
-- Webhooks and jobs
-- =================================================================================================

-- Outbox and catch-up feed in one. Recording a delivery touches no index: `state` is in none, not
-- even as a condition, and a page has room for both versions of its rows.
CREATE TABLE webhooks (
    account_id uuid NOT NULL,
    id         text COLLATE "C" NOT NULL,            -- whk_...: X-Webhook-Id, fixed for life; in order of time
    seq        bigint GENERATED ALWAYS AS IDENTITY,
    written_by xid8 NOT NULL DEFAULT pg_current_xact_id(), -- readers skip what a slower, older writer may still precede
    type       text NOT NULL,
    body       bytea NOT NULL,                       -- frozen: every attempt signs these bytes
    created_at timestamptz NOT NULL,                 -- the account's time
    message_id uuid,
    event_id   text,                                 -- the registered event it belongs to, if any
    url        text,                                 -- an event's callbackUrl; null: the account's
    state      text NOT NULL CHECK (state IN ('waiting', 'pending', 'delivered', 'failed')),
    cycle      integer NOT NULL DEFAULT 1,           -- a retry starts the next
    failed_at  timestamptz,
    attempts   jsonb NOT NULL DEFAULT '[]',          -- [{cycle, attempt, at, status, error, ms, url, timestamp, answer}]
    PRIMARY KEY (account_id, id)
) PARTITION BY RANGE (id);
CREATE TABLE webhooks_default PARTITION OF webhooks DEFAULT
    WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);

CREATE INDEX webhooks_in_order ON webhooks (account_id, written_by, seq);
CREATE INDEX webhooks_by_message ON webhooks (account_id, message_id) WHERE message_id IS NOT NULL;
CREATE INDEX webhooks_failed ON webhooks (account_id, failed_at, id) WHERE failed_at IS NOT NULL;

-- What the processes counted in each minute, for the charts of the operator's health page: no large
-- table is read for them. Kept for a day. Names with "age." are peaks, all others sums.
CREATE TABLE health_minutes (
    minute timestamptz NOT NULL,
    name   text NOT NULL,                            -- messages.sent, requests.2xx, latency.0.05, age.send
    value  bigint NOT NULL,
    PRIMARY KEY (minute, name)
);

CREATE TABLE health_processes (                      -- the running processes, each seen every few seconds
    id         uuid PRIMARY KEY,
    host       text NOT NULL,
    pid        integer NOT NULL,
    roles      text NOT NULL,
    started_at timestamptz NOT NULL,
    seen_at    timestamptz NOT NULL
) WITH (fillfactor = 50);

-- The job queue. Claiming a job moves `due_at` to the end of the lease, so the job of a crashed worker
-- falls due again by itself. Fencing: a result is applied only if `generation` is unchanged.
CREATE TABLE jobs (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id uuid NOT NULL,
    pool       text NOT NULL,                        -- the workers that run it
    kind       text NOT NULL,                        -- the handler that runs it
    priority   smallint NOT NULL DEFAULT 5,          -- 0 runs first
    due_at     timestamptz NOT NULL,                 -- real time: a sandbox account's own time less clock_ms
    clock_ms   bigint NOT NULL DEFAULT 0,            -- the account's clock offset that due_at was computed with
    subject    text NOT NULL,                        -- the id of what it is about
    subjects   text[],                               -- of a group of jobs that share this lease (groups.py)
    partition_key text COLLATE "C" NOT NULL DEFAULT '', -- fair shares within an account: a webhook's destination
    unique_key text,                                 -- at most one waiting job per account and key
    ordering_key text,                               -- jobs of one account and key start in order of id
    payload    jsonb,
    leased     boolean NOT NULL DEFAULT false,
    generation integer NOT NULL DEFAULT 0,           -- number of claims
    attempts   integer NOT NULL DEFAULT 0,           -- claims that count as attempts
    crashes    integer NOT NULL DEFAULT 0,           -- leases that expired since the last result
    rerun_requested boolean NOT NULL DEFAULT false,  -- run again as soon as the present run is rescheduled
    dead_lettered_at timestamptz                     -- crashed too often: kept for the operator, never claimed
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);

CREATE INDEX jobs_by_partition ON jobs (pool, account_id, partition_key, priority, due_at, id)
    WHERE dead_lettered_at IS NULL;
CREATE INDEX jobs_by_due ON jobs (pool, due_at) WHERE dead_lettered_at IS NULL;
CREATE INDEX jobs_dead_lettered ON jobs (id) WHERE dead_lettered_at IS NOT NULL;
CREATE INDEX jobs_ordering_key ON jobs (account_id, ordering_key, id) WHERE ordering_key IS NOT NULL;
CREATE UNIQUE INDEX jobs_unique_key ON jobs (account_id, unique_key) WHERE unique_key IS NOT NULL;
