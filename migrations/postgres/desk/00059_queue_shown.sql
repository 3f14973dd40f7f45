-- +goose Up

-- The queue keeps what it shows of a case beside where the case stands: its row of case_summary in one value with a sum of its own. It
-- was a join of thirty columns. The program writes it with each change of the row (package caselist), and `guiche verify` and the daily
-- check compare the two; rows from before are shown beside the first requests.
ALTER TABLE queue_case ADD COLUMN shown bytea;
INSERT INTO queue_pending (id) SELECT 1 WHERE EXISTS (SELECT 1 FROM queue_case) ON CONFLICT DO NOTHING;

-- Blobs are found by the first five letters of their names: of ten million there are ten with the same.
DROP INDEX draft_attachment_blob;
DROP INDEX submission_attachment_blob;
DROP INDEX exchange_body;
DROP INDEX answer_guide_pdf;
DROP INDEX answer_receipt_pdf;
DROP INDEX authorization_guide_pdf;
CREATE INDEX draft_attachment_blob ON draft_attachment (substr(blob, 1, 5)) WHERE blob <> '';
CREATE INDEX submission_attachment_blob ON submission_attachment (substr(blob, 1, 5)) WHERE blob <> '';
CREATE INDEX exchange_body ON exchange (substr(body, 1, 5)) WHERE body <> '';
CREATE INDEX answer_guide_pdf ON answer (substr(guide_pdf, 1, 5)) WHERE guide_pdf <> '';
CREATE INDEX answer_receipt_pdf ON answer (substr(receipt_pdf, 1, 5)) WHERE receipt_pdf <> '';
CREATE INDEX authorization_guide_pdf ON "authorization" (substr(guide_pdf, 1, 5)) WHERE guide_pdf <> '';

-- Programs before this one change the row and not what the queue shows.
UPDATE schema_floor SET oldest = 59;
