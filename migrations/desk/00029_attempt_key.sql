-- +goose Up

-- Whether an attempt carried the idempotency key. Where one without it may have been acted on, a repetition with the key
-- would be another request. Of attempts from before nobody knows: 0.
ALTER TABLE attempt ADD COLUMN keyed INTEGER NOT NULL DEFAULT 0 CHECK (keyed IN (0, 1));
