-- Subscriptions (2.8), what they have been charged, and what became of each charge. All times here
-- are the account's own; prices are millionths, amounts minor units (docs/decisions/0022-charging.md).

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
);

CREATE FUNCTION charges_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'charges are only ever added to' USING ERRCODE = 'check_violation';
END $$;

CREATE TRIGGER charges_keep BEFORE UPDATE OR DELETE ON charges
    FOR EACH ROW EXECUTE FUNCTION charges_refuse_change();
CREATE TRIGGER charges_stay BEFORE TRUNCATE ON charges
    FOR EACH STATEMENT EXECUTE FUNCTION charges_refuse_change();

CREATE TABLE charged_numbers (                       -- who has had the unique message
    account_id      uuid NOT NULL,
    subscription_id integer NOT NULL,
    phone           text NOT NULL,
    term            integer NOT NULL,                -- of a monthly subscription; else 0
    message_id      uuid NOT NULL,                   -- refunding it frees the number
    PRIMARY KEY (account_id, subscription_id, phone, term)
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

-- Whether and as what a message was charged: whoever moves it need not look.
ALTER TABLE messages ADD COLUMN charge text;

-- Subscriptions that files have declared before now.
INSERT INTO subscriptions (account_id, id, package, billing_type, unique_quota, followup_quota, starts_at, ends_at,
                           currency, vat_hundredths, unique_price_micro, followup_price_micro, monthly_minor,
                           credit_limit_minor, created_at)
SELECT a.id, 1, s->>'package', s->>'billingType', (s->>'unique')::int, (s->>'followup')::int,
       coalesce((s->>'startsAt')::timestamptz, a.created_at), (s->>'endsAt')::timestamptz, s->>'currency',
       round((s->>'vatPct')::numeric * 100)::int, coalesce(round((s->>'pricePerUnique')::numeric * 1000000), 0),
       coalesce(round((s->>'pricePerFollowup')::numeric * 1000000), 0),
       coalesce(round((s->>'monthlyPrice')::numeric * 100), 0), round((s->>'creditLimit')::numeric * 100),
       now() + a.clock_ms * interval '1 millisecond'
  FROM accounts a CROSS JOIN LATERAL (SELECT a.declared->'subscription' AS s) AS declared
 WHERE s IS NOT NULL;

INSERT INTO jobs (account_id, pool, kind, due_at, clock_ms, subject, once)
SELECT s.account_id, 'timers', 'billing.term', now(), a.clock_ms, 'billing.term', 'billing.term'
  FROM subscriptions s JOIN accounts a ON a.id = s.account_id WHERE s.billing_type <> 'PACKAGE';
