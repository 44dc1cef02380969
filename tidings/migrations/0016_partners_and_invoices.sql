-- Partners (2.10, 2.11): what they bought, used and owe, and every step on the way there.
-- Invoices (2.9). All times here are the account's own; amounts are minor units of the currency.

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

CREATE FUNCTION partner_ledger_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the ledger is only ever added to' USING ERRCODE = 'check_violation';
END $$;

CREATE TRIGGER partner_ledger_keeps BEFORE UPDATE OR DELETE ON partner_ledger
    FOR EACH ROW EXECUTE FUNCTION partner_ledger_refuse_change();
CREATE TRIGGER partner_ledger_stays BEFORE TRUNCATE ON partner_ledger
    FOR EACH STATEMENT EXECUTE FUNCTION partner_ledger_refuse_change();

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
