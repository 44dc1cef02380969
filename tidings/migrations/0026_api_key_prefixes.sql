-- Several keys of one account are told apart by how they begin (`tidings keys revoke --key`). At most
-- half of a key's own characters are kept; of keys issued before, nothing is known but the hash.
ALTER TABLE api_keys ADD COLUMN prefix text;
