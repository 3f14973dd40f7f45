-- +goose Up

-- When the person of the session last gave the password: sensitive acts ask for it again after a while.
ALTER TABLE session ADD COLUMN confirmed_at INTEGER NOT NULL DEFAULT 0;

UPDATE session SET confirmed_at = created_at;
