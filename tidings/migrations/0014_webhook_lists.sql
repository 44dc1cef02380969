-- Recording a delivery touches no index: `state` stands in none, not even as a condition, and a page
-- has room for both versions of its rows (each is written once and updated once, mostly together).

DROP INDEX IF EXISTS webhooks_by_age;
DROP INDEX webhooks_failed;
CREATE INDEX webhooks_failed ON webhooks (account_id, failed_at, id) WHERE failed_at IS NOT NULL;
ALTER TABLE webhooks SET (fillfactor = 50);

ALTER TABLE webhooks ADD COLUMN revived boolean NOT NULL DEFAULT false; -- tried afresh, by itself
