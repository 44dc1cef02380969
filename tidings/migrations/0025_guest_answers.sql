-- One answer for each guest of an event, and ends that move with the event's date.

ALTER TABLE invitations
    -- Whether expires_at was taken from the event, and so moves with it. Null, as written by earlier
    -- versions: it was where it equals the event's end.
    ADD COLUMN ends_with_event boolean,
    ADD COLUMN late boolean NOT NULL DEFAULT false,  -- guest.replied_late was sent since the last answer
    -- An answer counts for every invitation of its event to that guest, also for those that had ended
    -- when it was given; and a date that moves to an earlier time leaves answers as they are.
    DROP CONSTRAINT invitations_answered_in_time;

-- By guest too: the answers of one guest to one event are found without reading the others.
CREATE INDEX invitations_of_event_guest ON invitations (account_id, event_id, phone)
 WHERE event_id IS NOT NULL;
DROP INDEX invitations_of_event;

-- What the platform answered when it was asked about a number that it has not confirmed yet.
ALTER TABLE numbers ADD COLUMN refusal text;
