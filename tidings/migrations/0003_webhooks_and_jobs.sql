-- What we owe to customers (webhooks) and to ourselves (jobs).

CREATE TABLE webhooks (                              -- outbox and catch-up feed in one
    account_id uuid NOT NULL,
    id         text NOT NULL,                        -- whk_...: X-Webhook-Id, fixed for life
    seq        bigint GENERATED ALWAYS AS IDENTITY,
    written_by xid8 NOT NULL DEFAULT pg_current_xact_id(), -- readers skip what a slower, older writer may still precede
    type       text NOT NULL,
    body       bytea NOT NULL,                       -- frozen: every attempt signs these bytes
    created_at timestamptz NOT NULL,                 -- the account's time
    message_id uuid,
    url        text,                                 -- an event's callbackUrl; null: the account's
    state      text NOT NULL CHECK (state IN ('waiting', 'pending', 'delivered', 'failed')),
    cycle      integer NOT NULL DEFAULT 1,           -- a retry starts the next
    failed_at  timestamptz,
    attempts   jsonb NOT NULL DEFAULT '[]',          -- [{cycle, attempt, at, status, error, ms}]
    PRIMARY KEY (account_id, id)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);

CREATE INDEX webhooks_in_order ON webhooks (account_id, written_by, seq);
CREATE INDEX webhooks_failed ON webhooks (account_id, failed_at) WHERE state = 'failed';

-- A queue by visibility time: claiming a job moves its due_at past the lease, so a worker that dies
-- gives it back without anybody's help. `generation` fences the dead worker's late result.
CREATE TABLE jobs (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account_id uuid NOT NULL,
    pool       text NOT NULL,                        -- which workers take it
    kind       text NOT NULL,
    priority   smallint NOT NULL DEFAULT 5,          -- 0 goes first
    due_at     timestamptz NOT NULL,                 -- real time; of a sandbox account, its own time less clock_ms
    clock_ms   bigint NOT NULL DEFAULT 0,            -- the account's offset when due_at was worked out
    subject    text NOT NULL,                        -- the id of what it is about
    once       text,                                 -- at most one job of this key waits in an account
    ordered_by text,                                 -- jobs of one key start in order of id
    payload    jsonb,
    leased     boolean NOT NULL DEFAULT false,
    generation integer NOT NULL DEFAULT 0,           -- claims so far
    attempts   integer NOT NULL DEFAULT 0,           -- claims of this cycle
    crashes    integer NOT NULL DEFAULT 0,           -- leases that ran out
    parked_at  timestamptz                           -- poison: shown to the operator, claimed no more
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);

CREATE INDEX jobs_of_account ON jobs (pool, account_id, priority, due_at, id) WHERE parked_at IS NULL;
CREATE INDEX jobs_by_due ON jobs (pool, due_at) WHERE parked_at IS NULL;
CREATE INDEX jobs_in_order ON jobs (account_id, ordered_by, id) WHERE ordered_by IS NOT NULL;
CREATE UNIQUE INDEX jobs_once ON jobs (account_id, once) WHERE once IS NOT NULL;
