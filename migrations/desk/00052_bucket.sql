-- +goose Up

-- In which bucket the files of the installation are, where several processes share its database.
CREATE TABLE bucket (
    id           INTEGER PRIMARY KEY CHECK (id = 1),
    place        TEXT    NOT NULL CHECK (place <> ''),
    installation BLOB    NOT NULL CHECK (length(installation) = 16) -- the owner that the bucket names
) STRICT;

-- Programs before this one do not look there.
UPDATE schema_floor SET oldest = 50;
