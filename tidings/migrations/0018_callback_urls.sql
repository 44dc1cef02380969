-- Where the events of a registered event go (6.1): its own callbackUrl instead of the account's.

CREATE TABLE callback_urls (
    account_id uuid NOT NULL,
    event_id   text NOT NULL,
    url        text NOT NULL,
    PRIMARY KEY (account_id, event_id)
);

ALTER TABLE webhooks ADD COLUMN event_id text;       -- the registered event it belongs to, if any
