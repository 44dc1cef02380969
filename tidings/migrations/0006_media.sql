-- Uploaded files (4.5): what each is. Its bytes are an object named by account and sha256.

CREATE TABLE media (
    account_id uuid NOT NULL,
    id         uuid NOT NULL,                        -- med_...: says nothing about the content
    sha256     bytea NOT NULL CHECK (octet_length(sha256) = 32),
    mimetype   text NOT NULL CHECK (mimetype IN ('image/jpeg', 'image/png', 'application/pdf')),
    bytes      integer NOT NULL CHECK (bytes > 0),
    filename   text NOT NULL CHECK (filename <> ''),
    created_at timestamptz NOT NULL,                 -- the account's time
    PRIMARY KEY (account_id, id),
    UNIQUE (account_id, sha256)                      -- the same bytes are one upload, per account
);
