-- +goose Up

-- Bytes of attachments that partners sent, by hour: what a partner may send within a day is limited. Hours that are
-- over are deleted.
CREATE TABLE profile_usage (
    profile_id INTEGER NOT NULL REFERENCES profile (id),
    hour       INTEGER NOT NULL,                     -- since 1970, UTC
    bytes      INTEGER NOT NULL CHECK (bytes >= 0),
    PRIMARY KEY (profile_id, hour)
) STRICT, WITHOUT ROWID;
