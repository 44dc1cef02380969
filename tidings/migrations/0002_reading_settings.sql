-- compatible
-- How an account's guests' replies are read.
ALTER TABLE accounts
    ADD reader_precision double precision NOT NULL DEFAULT 0.99
        CHECK (reader_precision BETWEEN 0.9 AND 0.999), -- of the answers that are taken, this share has to be right
    ADD second_opinion   boolean NOT NULL DEFAULT false, -- an outside reader may be asked about what stays unclear
    ADD keep_readings    boolean NOT NULL DEFAULT false; -- what a person settles is kept as a labelled reply
