-- The request rate of each account (section 8). Unlogged: a crash forgets it, and that is fine.
-- free_at: when all of the limit is free again; at: the moment of the last check; both in
-- nanoseconds since the epoch. step: nanoseconds one request costs; granted of asked were let in.
CREATE UNLOGGED TABLE request_rate (
    account_id uuid PRIMARY KEY,
    free_at    bigint NOT NULL,
    at         bigint NOT NULL,
    step       bigint NOT NULL CHECK (step > 0),
    asked      bigint NOT NULL,
    granted    bigint NOT NULL
) WITH (fillfactor = 50);
