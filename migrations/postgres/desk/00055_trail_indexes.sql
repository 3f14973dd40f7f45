-- +goose Up

-- The trail is read backwards from a place in it. By time only what a full disk kept out of it was looked for, which is read once.
DROP INDEX audit_entry_at;

-- Programs before this one look for the same, and read more of the trail for it.
UPDATE schema_floor SET oldest = 50;
