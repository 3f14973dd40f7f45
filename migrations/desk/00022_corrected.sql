-- +goose Up

-- Whether a correction of the case was sent and not withdrawn: the queue then has the correction in its place.
ALTER TABLE submission_state ADD COLUMN corrected INTEGER NOT NULL DEFAULT 0 CHECK (corrected IN (0, 1));

UPDATE submission_state SET corrected = 1
WHERE submission_id IN (SELECT p.id FROM submission c JOIN submission_state cs ON cs.submission_id = c.id
    JOIN submission p ON p.uid = c.previous_uid WHERE c.copy_kind = 'correcao' AND cs.state <> 'withdrawn');

-- The counters of the queue read this index alone.
DROP INDEX submission_state_by_group;
CREATE INDEX submission_state_by_group ON submission_state (queue_group, submission_id, unit_uid, changed_at, corrected);
