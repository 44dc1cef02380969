-- What the live platform tells us: of its own accord (callbacks), and when asked (sync).

-- What it says of a number, beside what the file says; the smaller of two limits holds.
ALTER TABLE numbers
    ADD COLUMN platform_per_second   integer CHECK (platform_per_second > 0),
    ADD COLUMN platform_daily_limit  integer CHECK (platform_daily_limit >= 0),
    ADD COLUMN platform_portfolio_id text,           -- counts where the file names none
    ADD COLUMN verified_name         text NOT NULL DEFAULT '';

-- A callback names the number it is about by the platform's id alone.
CREATE INDEX numbers_by_phone_number_id ON numbers (phone_number_id) WHERE phone_number_id IS NOT NULL;

ALTER TABLE templates
    ADD COLUMN problem text NOT NULL DEFAULT '',     -- why it cannot be sent, beside its status
    ADD COLUMN names   jsonb NOT NULL DEFAULT '[]';  -- of variables that have names, header first

-- When a verified callback last came for an account: silence means something while this is young.
-- Written every few seconds at most, so it may lag behind by as much.
CREATE TABLE callback_channels (
    account_id uuid PRIMARY KEY,
    last_at    timestamptz NOT NULL                  -- real time
) WITH (fillfactor = 50);

-- Callbacks that nobody could be given: each a body that can be read again (tidings callbacks).
CREATE TABLE parked_callbacks (
    id  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at  timestamptz NOT NULL,                        -- real time
    why text NOT NULL,
    raw bytea NOT NULL
);
CREATE INDEX parked_callbacks_by_age ON parked_callbacks (at);

-- Files that guests sent (4.13): where the platform has them. Their bytes are never ours.
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
