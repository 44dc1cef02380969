-- One call at a time moves a sandbox clock; a turn that is not given back runs out.
CREATE TABLE clock_turns (
    account_id uuid PRIMARY KEY,
    ends_at    timestamptz NOT NULL
);

-- Whether failed webhooks are queued again by themselves once their URL has answered (contract2 C).
ALTER TABLE accounts ADD COLUMN resend_when_recovered boolean NOT NULL DEFAULT false;
