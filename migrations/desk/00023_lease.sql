-- +goose Up

-- Which processes send. A process renews its lease; one that ran out is ended by the process that takes over what it
-- left behind, and never begins again.
CREATE TABLE lease (
    uid        BLOB    PRIMARY KEY CHECK (length(uid) = 16), -- submission_state.lease, attempt.lease
    expires_at INTEGER NOT NULL,
    ended      INTEGER NOT NULL DEFAULT 0 CHECK (ended IN (0, 1))
) STRICT, WITHOUT ROWID;
