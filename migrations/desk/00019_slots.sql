-- +goose Up

-- How many requests are on the wire at the same time, and of them to one credential.
ALTER TABLE connection ADD COLUMN slots            INTEGER NOT NULL DEFAULT 96 CHECK (slots BETWEEN 1 AND 500);
ALTER TABLE connection ADD COLUMN credential_slots INTEGER NOT NULL DEFAULT 24 CHECK (credential_slots BETWEEN 1 AND 500);

-- Who does not answer: attempts in a row that got no answer. An attempt that gets one deletes the row.
CREATE TABLE outage (
    credential_uid BLOB    PRIMARY KEY CHECK (length(credential_uid) = 16), -- all zeros: the authorization service itself
    since          INTEGER NOT NULL, -- end of the first attempt without an answer
    failed_at      INTEGER NOT NULL, -- end of the latest
    failures       INTEGER NOT NULL CHECK (failures > 0),
    retry_at       INTEGER NOT NULL  -- nothing more is sent before
) STRICT, WITHOUT ROWID;
