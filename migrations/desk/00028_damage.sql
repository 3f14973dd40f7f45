-- +goose Up

-- What was found damaged and still is: files whose bytes are not those that were stored, rows that are not as they were
-- written. A row goes when what it names is whole again; the trail tells of both.
CREATE TABLE damage (
    id       INTEGER PRIMARY KEY,
    half     TEXT    NOT NULL CHECK (half IN ('desk', 'service')),
    kind     TEXT    NOT NULL CHECK (kind IN ('arquivo', 'registro')),
    name     TEXT    NOT NULL CHECK (name <> ''),    -- of the file; table and key of the row
    case_uid BLOB    CHECK (length(case_uid) = 16),  -- the case that shows it; NULL where none is known
    found_at INTEGER NOT NULL,
    UNIQUE (half, kind, name)
) STRICT;
