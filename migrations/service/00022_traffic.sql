-- +goose Up

-- What processes on one database were asked: each adds what it counted about once a second. A process alone keeps that to itself,
-- as with SQLite, where these tables are empty.
CREATE TABLE traffic (
    route  TEXT    NOT NULL,                     -- as in the specification
    status INTEGER NOT NULL,                     -- zero: cut
    count  INTEGER NOT NULL CHECK (count >= 0),
    PRIMARY KEY (route, status)
) STRICT;

CREATE TABLE traffic_process (
    uid     BLOB    PRIMARY KEY NOT NULL CHECK (length(uid) = 16),
    since   INTEGER NOT NULL,                    -- when the first of those began that were never all gone
    open    INTEGER NOT NULL CHECK (open >= 0),  -- requests that it is answering
    seen_at INTEGER NOT NULL
) STRICT;

UPDATE schema_floor SET oldest = 21;
