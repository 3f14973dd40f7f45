-- +goose Up

-- A search looks at the searched column itself, so that nobody needs to hear of changes.
DROP TRIGGER credential_added;
DROP TRIGGER credential_changed;
DROP TRIGGER credential_removed;
DROP TABLE credential_changes;
