-- A job that is being looked at while what held it back goes away must look again at once.

ALTER TABLE jobs ADD COLUMN hastened boolean NOT NULL DEFAULT false;
