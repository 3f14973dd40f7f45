-- +goose Up

-- Counts the changes of credentials, by every process: whoever writes one raises it in the same transaction, and whoever
-- keeps them in memory to search them reads it in the transaction of each search.
CREATE TABLE credential_changes (
    id    INTEGER PRIMARY KEY CHECK (id = 1),
    count INTEGER NOT NULL CHECK (count >= 0)
) STRICT;

INSERT INTO credential_changes (id, count) VALUES (1, 0);
