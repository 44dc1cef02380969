-- What the numbers of an account have left to give: slots of their rate, and places of the limits
-- over a rolling 24 hours. All times here are the account's own (docs/decisions/0013-pacing.md).

ALTER TABLE numbers
    ADD COLUMN next_free_at     timestamptz,         -- the next slot of its rate
    ADD COLUMN otp_next_free_at timestamptz,         -- of the share kept for passcodes
    ADD COLUMN planned_until    timestamptz;         -- where the next message of a batch is planned
-- Every accepted batch moves its numbers on: leave room for the new row beside the old one.
ALTER TABLE numbers SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

CREATE TABLE meter_minutes (                         -- places taken, by the minute
    account_id uuid NOT NULL,
    meter      text NOT NULL,                        -- account, number:<number>, portfolio:<id>
    minute     timestamptz NOT NULL,                 -- its beginning; may lie ahead
    used       integer NOT NULL CHECK (used >= 0),
    last_at    timestamptz NOT NULL,                 -- 24 h after it, all of the minute are free again
    PRIMARY KEY (account_id, meter, minute)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

CREATE TABLE reach (                                 -- people written to outside a conversation
    account_id uuid NOT NULL,
    meter      text NOT NULL,
    phone      text NOT NULL,
    counted_at timestamptz NOT NULL,                 -- for 24 h they cost no place again
    holders    integer NOT NULL CHECK (holders > 0), -- messages that rely on this count
    PRIMARY KEY (account_id, meter, phone)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
