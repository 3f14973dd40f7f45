-- +goose Up

-- On SQLite the words of cases in groups that have few of them stand together in an index; here each is read where it stands.
ALTER TABLE history ADD COLUMN rare smallint NOT NULL DEFAULT 0 CHECK (rare IN (0, 1, 2));
UPDATE history SET rare = 1 WHERE submission_id IN (SELECT submission_id FROM case_summary WHERE queue_group = 0);
UPDATE history SET rare = 2 WHERE submission_id IN (SELECT submission_id FROM case_summary WHERE queue_group = 4);

UPDATE schema_floor SET oldest = 50;
