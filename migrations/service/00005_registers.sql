-- +goose Up

-- A specialty that is no longer offered stays: older requests name it.
ALTER TABLE specialty ADD COLUMN disabled INTEGER NOT NULL DEFAULT 0 CHECK (disabled IN (0, 1));

-- When a family last got new tokens by a refresh; 0 when it never did.
ALTER TABLE token_family ADD COLUMN renewed_at INTEGER NOT NULL DEFAULT 0;

UPDATE token_family SET renewed_at = coalesce((SELECT max(t.created_at) FROM token t WHERE t.family_id = token_family.id AND t.created_at > token_family.created_at), 0);
