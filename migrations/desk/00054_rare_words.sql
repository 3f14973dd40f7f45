-- +goose Up

-- The words of cases in groups that have few of them, outcomes that nobody knows and codes that the program does not, stand
-- together as well: a search within such a group reads these one after the other, not each from another page of the history.
ALTER TABLE history ADD COLUMN rare INTEGER NOT NULL DEFAULT 0 CHECK (rare IN (0, 1, 2));
UPDATE history SET rare = 1 WHERE submission_id IN (SELECT submission_id FROM case_summary WHERE queue_group = 0);
UPDATE history SET rare = 2 WHERE submission_id IN (SELECT submission_id FROM case_summary WHERE queue_group = 4);
CREATE INDEX history_rare ON history (rare, submission_id, names, numbers, procedures) WHERE rare > 0;

-- Programs before this one note no case as rare; where one is missing the search reads the history.
UPDATE schema_floor SET oldest = 50;
