-- Secrets that must be forgotten (docs/decisions/0014): passcodes, until they are sent or expire.
-- The keys are files outside this database and are destroyed by the hour, so that what is left of
-- a row in a backup, in the WAL or in a dead tuple cannot be read any more.

CREATE TABLE vault (
    account_id uuid NOT NULL,
    subject    text NOT NULL,                        -- what the secret belongs to: a message's id
    key_id     text NOT NULL,                        -- the hour whose key opens it
    ciphertext bytea NOT NULL,                       -- nonce, then AES-256-GCM of the padded secret
    expires_at timestamptz NOT NULL,                 -- real time, whatever the account's clock says
    PRIMARY KEY (account_id, subject)
) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);

CREATE INDEX vault_by_expiry ON vault (expires_at);
