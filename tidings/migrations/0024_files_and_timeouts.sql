-- How far an account's time-outs have been examined: no sent message that ends before
-- `examined_until` is left. It used to travel in the payload of the account's job, which a second
-- job of the same key dropped.
CREATE TABLE timeout_watermarks (
    account_id     uuid PRIMARY KEY,
    examined_until timestamptz,                      -- the account's time; NULL: nothing yet
    version        bigint NOT NULL DEFAULT 0         -- raised by whoever adds an earlier time-out
);
