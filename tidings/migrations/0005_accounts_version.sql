-- One row: what every process watches to notice that an account, key or secret has changed, and
-- what makes two changes wait for each other.

CREATE TABLE accounts_version (
    only_row   boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    version    bigint NOT NULL DEFAULT 0,
    written_by xid8 NOT NULL DEFAULT pg_current_xact_id(), -- one step a transaction, however much it changes
    seal_check bytea                                 -- sealed under the master key: tells a wrong one
);
INSERT INTO accounts_version DEFAULT VALUES;
