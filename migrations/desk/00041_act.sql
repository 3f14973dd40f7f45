-- +goose Up

-- What people asked of the service about authorizations: cancelling, biometrics (never the captures). A row is committed before
-- anything leaves, and says in the end what became of it.
CREATE TABLE act (
    id            INTEGER PRIMARY KEY,
    uid           BLOB    NOT NULL UNIQUE CHECK (length(uid) = 16), -- its idempotency key at the service
    submission_id INTEGER NOT NULL REFERENCES submission (id),
    kind          TEXT    NOT NULL CHECK (kind IN ('cancelamento', 'biometria', 'anexos')),
    place         INTEGER NOT NULL,            -- of the authorization in the answer
    guide_id      TEXT    NOT NULL CHECK (guide_id <> ''),
    status        TEXT    NOT NULL,            -- of the authorization when it was asked
    reason        TEXT    NOT NULL,            -- as a person typed it
    state         TEXT    NOT NULL CHECK (state IN ('a_caminho', 'feito', 'recusado', 'nao_saiu', 'em_duvida')),
    actor         BLOB    NOT NULL CHECK (length(actor) = 16),
    asked_at      INTEGER NOT NULL,
    until         INTEGER NOT NULL,            -- what is under way longer has lost its process: nobody knows what became of it
    ended_at      INTEGER NOT NULL DEFAULT 0,
    message       TEXT    NOT NULL DEFAULT '', -- the service's words when it was not done, or is in doubt
    checksum      BLOB    NOT NULL CHECK (length(checksum) = 8)
) STRICT;

CREATE INDEX act_by_submission ON act (submission_id);

-- A program before this one neither writes nor reads it.
UPDATE schema_floor SET oldest = 40;
