-- +goose Up

-- The queue keeps what it shows of a case beside where the case stands: its row of case_summary in one value, as its checksum is made
-- of it, and that sum. It was a join of thirty columns. The program writes it with each change of the row (package caselist), and
-- `guiche verify` and the daily check compare the two; rows from before are shown beside the first requests.
ALTER TABLE queue_case ADD COLUMN shown bytea;
INSERT INTO queue_pending (id) SELECT 1 WHERE EXISTS (SELECT 1 FROM queue_case) ON CONFLICT DO NOTHING;

-- Programs before this one change the row and not what the queue shows.
UPDATE schema_floor SET oldest = 59;
