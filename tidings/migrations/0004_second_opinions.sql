-- compatible
-- How many replies were shown to the reader outside, for its budget a day.
CREATE TABLE second_opinions (
    account_id uuid NOT NULL REFERENCES accounts,
    day        date NOT NULL,                        -- UTC, real time
    asked      integer NOT NULL CHECK (asked > 0),
    PRIMARY KEY (account_id, day)
);

CREATE INDEX second_opinions_by_day ON second_opinions (day);
