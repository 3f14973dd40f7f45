-- +goose Up

-- Since when the operator has a denial to look at again, 0 when it has not.
ALTER TABLE queue_case ADD COLUMN review bigint NOT NULL DEFAULT 0;
CREATE INDEX queue_case_review ON queue_case (review) WHERE review > 0;

UPDATE schema_floor SET oldest = 45;
