-- +goose Up

-- On PostgreSQL indexes get what those of SQLite have anyway; nothing changes here.

UPDATE schema_floor SET oldest = 50;
