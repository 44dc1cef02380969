-- Accounts, their keys and secrets, and what they send from (contract.md, "Running it").
-- Every tenant's table leads its key with account_id: the border of a shard or a cell.

CREATE TABLE accounts (
    id                  uuid PRIMARY KEY,
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

CREATE TABLE api_keys (
    account_id uuid NOT NULL REFERENCES accounts,
    key_hash   bytea NOT NULL,                       -- sha256; the key itself is shown once and not kept
    last4      text NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz,                          -- set when rotated out: the overlap its owner chose
    PRIMARY KEY (account_id, key_hash)
);
CREATE UNIQUE INDEX api_keys_by_hash ON api_keys (key_hash);

CREATE TABLE signing_secrets (
    account_id uuid NOT NULL REFERENCES accounts,
    id         uuid NOT NULL,
    sealed     bytea NOT NULL,                       -- AES-256-GCM under the master key
    created_at timestamptz NOT NULL,
    expires_at timestamptz,                          -- set when rotated out: signs X-Signature-Previous until then
    PRIMARY KEY (account_id, id)
);

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
    PRIMARY KEY (account_id, number)
);

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
    PRIMARY KEY (account_id, name, language)
);
