-- +goose Up

-- The keys outside this file that its contents rest on, by their ids: a start without one of them, or with another, is refused.
CREATE TABLE installation_key (
    name       TEXT    NOT NULL CHECK (name IN ('audit', 'browser', 'seal')),
    key_id     TEXT    NOT NULL CHECK (length(key_id) = 16), -- names the key and tells nothing about it
    used_at    INTEGER NOT NULL,                             -- since when
    retired_at INTEGER NOT NULL DEFAULT 0,                   -- 0: in use
    PRIMARY KEY (name, key_id)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX installation_key_in_use ON installation_key (name) WHERE retired_at = 0;

-- The key that a secret is sealed under; '' is the first one, from before keys had ids.
ALTER TABLE connection_secret ADD COLUMN key_id TEXT NOT NULL DEFAULT '' CHECK (length(key_id) IN (0, 16));
