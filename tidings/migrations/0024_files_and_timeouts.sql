-- How far an account's time-outs have been examined: no sent message that ends before
-- `examined_until` is left. It used to travel in the payload of the account's job, which a second
-- job of the same key dropped.
CREATE TABLE timeout_watermarks (
    account_id     uuid PRIMARY KEY,
    examined_until timestamptz,                      -- the account's time; NULL: nothing yet
    version        bigint NOT NULL DEFAULT 0         -- raised by whoever adds an earlier time-out
);

-- Files that nothing refers to are removed. The name of an object is used once: removing one can
-- then never meet another upload of the same content. Until now `sha256` was both; from now on it
-- names the object (32 random bytes), so that the version before this one still finds it, and
-- `digest` is the content's SHA-256.
ALTER TABLE media ADD COLUMN digest bytea CHECK (octet_length(digest) = 32);
UPDATE media SET digest = sha256;
CREATE UNIQUE INDEX media_by_digest ON media (account_id, digest);

-- How long the mediaId of an upload is valid, real time. NULL: no upload, the file came in a
-- message. The default is for rows of the version before this one, which cannot tell the two apart.
ALTER TABLE media ADD COLUMN valid_until timestamptz DEFAULT now() + interval '90 days';

-- Who needs a file besides: a message that has not left us (id), or a request that is about to
-- make one (an id of its own, until `held_until`).
CREATE TABLE media_uses (
    account_id uuid NOT NULL,
    id         uuid NOT NULL,
    media_id   uuid NOT NULL,
    held_until timestamptz,                          -- real time; NULL: `id` is a message
    PRIMARY KEY (account_id, id)
);
CREATE INDEX media_uses_by_media ON media_uses (account_id, media_id);

INSERT INTO media_uses (account_id, id, media_id)
SELECT m.account_id, m.id, f.id
  FROM jobs j
  JOIN messages m ON m.account_id = j.account_id AND m.id = j.subject::uuid
  JOIN media f ON f.account_id = m.account_id
   AND 'med_' || replace(f.id::text, '-', '') = coalesce(
           m.content #>> '{media,id}', m.content #>> '{image,id}', m.outside #>> '{media,id}')
 WHERE j.kind = 'message.send';

CREATE TABLE media_storage (                         -- what an account's files take up
    account_id uuid PRIMARY KEY,
    bytes      bigint NOT NULL
);
INSERT INTO media_storage SELECT account_id, sum(bytes) FROM media GROUP BY account_id;
CREATE INDEX media_by_validity ON media (valid_until);
CREATE INDEX media_uses_held ON media_uses (held_until) WHERE held_until IS NOT NULL;
