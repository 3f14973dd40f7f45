-- +goose Up

-- A case page says how soon the latest requests for the same procedure were answered: it reads that from the
-- index alone, not from twenty rows that lie each on another page.
DROP INDEX answer_by_submission;
CREATE INDEX answer_by_submission ON answer (submission_id, id, attempt, read_at);

UPDATE schema_floor SET oldest = 50;
