-- What live sending remembers of the platform: files it holds, numbers it refuses or slows down.

CREATE TABLE platform_media (                        -- an uploaded file is sent by its id there
    account_id  uuid NOT NULL,
    media_id    uuid NOT NULL,                       -- ours: one per account and content
    place       text NOT NULL,                       -- the phone number id it was uploaded for
    platform_id text NOT NULL,
    uploaded_at timestamptz NOT NULL,                -- real time; the platform keeps it for 30 days
    PRIMARY KEY (account_id, media_id, place)
);

ALTER TABLE numbers
    ADD COLUMN fault     text,                       -- why the platform takes nothing from it: a failure's word
    ADD COLUMN faults    integer NOT NULL DEFAULT 0, -- one soon after another: trials become rarer
    ADD COLUMN fault_at  timestamptz,                -- when it last began or ended
    ADD COLUMN trial_at  timestamptz,                -- from then on one message may try; null: at once
    ADD COLUMN slowed    smallint NOT NULL DEFAULT 0, -- how often its rate has been halved
    ADD COLUMN slowed_at timestamptz;                -- it recovers step by step from here
