-- Failed webhooks are found by failed_at alone: `state` stands in no index, so that recording a
-- delivery touches none. A webhook that failed is revived by itself at most once.

DROP INDEX webhooks_failed;
CREATE INDEX webhooks_failed ON webhooks (account_id, failed_at, id) WHERE failed_at IS NOT NULL;

ALTER TABLE webhooks ADD COLUMN revived boolean NOT NULL DEFAULT false;
