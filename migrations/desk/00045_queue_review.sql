-- +goose Up

-- Since when the operator has a denial to look at again. Until it answers the case waits for the operator, in the group "Aguardar",
-- and after 7 days for somebody of the provider again.
ALTER TABLE queue_case ADD COLUMN review INTEGER NOT NULL DEFAULT 0;
CREATE INDEX queue_case_review ON queue_case (review) WHERE review > 0;

UPDATE queue_case SET review = COALESCE((SELECT MAX(e.at) FROM submission_event e
    WHERE e.submission_id = queue_case.submission_id AND e.kind = 'reanalise_pedida' AND e.at >= queue_case.since), 0)
    WHERE queue_group = 3;
UPDATE queue_case SET queue_group = 6, since = review, place = (6 << 48) | ((1 << 48) - 1 - submission_id) WHERE review > 0;

DELETE FROM queue_count;
INSERT INTO queue_count (queue_group, unit, cases) SELECT queue_group, unit, COUNT(*) FROM queue_case GROUP BY queue_group, unit;

-- A program before this one takes such a case for one that stands in the wrong place.
UPDATE schema_floor SET oldest = 45;
