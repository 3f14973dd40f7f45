-- +goose Up

-- Lists read one range of an index from its end, a page of it. An index of SQLite has the number of the
-- case behind its columns; here it has to be named.
DROP INDEX case_summary_unit;
DROP INDEX case_summary_credential;
DROP INDEX case_summary_sender;
DROP INDEX case_summary_group;
DROP INDEX case_summary_status;
DROP INDEX case_summary_unit_credential_group;
DROP INDEX case_summary_unit_sender_group;
DROP INDEX case_summary_credential_sender_group;
DROP INDEX case_summary_unit_credential_sender;
CREATE INDEX case_summary_unit ON case_summary (unit, submission_id);
CREATE INDEX case_summary_credential ON case_summary (credential, submission_id);
CREATE INDEX case_summary_sender ON case_summary (sender, submission_id);
CREATE INDEX case_summary_group ON case_summary (queue_group, submission_id);
CREATE INDEX case_summary_status ON case_summary (status, submission_id);
CREATE INDEX case_summary_unit_credential_group ON case_summary (unit, credential, queue_group, submission_id);
CREATE INDEX case_summary_unit_sender_group ON case_summary (unit, sender, queue_group, submission_id);
CREATE INDEX case_summary_credential_sender_group ON case_summary (credential, sender, queue_group, submission_id);
CREATE INDEX case_summary_unit_credential_sender ON case_summary (unit, credential, sender, submission_id);

UPDATE schema_floor SET oldest = 50;
