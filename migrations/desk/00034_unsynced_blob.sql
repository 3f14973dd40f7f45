-- +goose Up

-- The bytes of small files that are in place and not yet on disk, written in the
-- transaction that names them: see package unsynced.
CREATE TABLE unsynced_blob (
    id    INTEGER PRIMARY KEY,
    ref   TEXT    NOT NULL CHECK (length(ref) = 64),
    bytes BLOB    NOT NULL
) STRICT;
