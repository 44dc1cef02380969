-- Redirect links (4.8): where they lead, and how often they were opened.

CREATE TABLE links (
    account_id        uuid NOT NULL,
    code              text NOT NULL,                 -- random; /r/{code} names no account
    url               text NOT NULL,                 -- as it passed INVALID_URL, and never changed
    event_id          text,
    client_message_id text,
    expires_at        timestamptz,                   -- this and all times below: the account's
    created_at        timestamptz NOT NULL,
    clicks            bigint NOT NULL DEFAULT 0 CHECK (clicks >= 0),
    first_click_at    timestamptz,
    last_click_at     timestamptz,
    active            boolean NOT NULL DEFAULT true, -- false: switched off by hand
    PRIMARY KEY (account_id, code),
    CONSTRAINT links_clicks_have_times CHECK (
        (clicks = 0) = (first_click_at IS NULL) AND (clicks = 0) = (last_click_at IS NULL)
        AND first_click_at <= last_click_at)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);

CREATE UNIQUE INDEX links_by_code ON links (code);

-- A link that could be led elsewhere after it was sent would be an open redirect (reliability T7).
CREATE FUNCTION links_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a link keeps its code and its destination' USING ERRCODE = 'check_violation';
END $$;

CREATE TRIGGER links_keep_destination BEFORE UPDATE OF account_id, code, url ON links
    FOR EACH ROW WHEN ((OLD.account_id, OLD.code, OLD.url) IS DISTINCT FROM (NEW.account_id, NEW.code, NEW.url))
    EXECUTE FUNCTION links_refuse_change();
