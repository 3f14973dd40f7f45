-- +goose Up

-- When all that is stored was last compared with what was written.
CREATE TABLE integrity_check (
    id          INTEGER PRIMARY KEY CHECK (id = 1),
    finished_at INTEGER NOT NULL
) STRICT;
