-- compatible
-- What people settled, as labelled replies, of accounts that agreed to it (accounts.keep_readings).
CREATE TABLE kept_readings (
    account_id uuid NOT NULL,
    phone      text NOT NULL,                         -- the guest, so that an erasure finds it
    event_id   text NOT NULL,
    replied_at timestamptz NOT NULL,                  -- when the guest wrote it; this and settled_at: the account's time
    text       text NOT NULL,                         -- the guest's words
    language   text,                                  -- as guessed; null: it has no words
    read_as    text CHECK (read_as IN ('yes', 'no')), -- what the reader said; null: neither
    confidence real NOT NULL CHECK (confidence BETWEEN 0 AND 1), -- of the reader
    answer     text NOT NULL CHECK (answer IN ('yes', 'no')),    -- what the person said
    guests     integer CHECK (guests >= 1),
    settled_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, phone, event_id, replied_at),
    CONSTRAINT kept_readings_count_who_come CHECK (answer = 'yes' OR guests IS NULL)
);
CREATE INDEX kept_readings_by_age ON kept_readings (account_id, replied_at);
