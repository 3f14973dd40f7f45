-- +goose Up

-- Identifiers: id inside the database, uid (UUIDv7) outside it. Times: microseconds since 1970 in UTC, 0 when there is none.

CREATE TABLE person (
    id         INTEGER PRIMARY KEY,
    uid        BLOB    NOT NULL UNIQUE CHECK (length(uid) = 16),
    login      TEXT    NOT NULL UNIQUE CHECK (login <> '' AND length(login) <= 64), -- folded: lower case, no spaces around
    name       TEXT    NOT NULL CHECK (name <> '' AND length(name) <= 200),
    password   TEXT    NOT NULL DEFAULT '',                                         -- argon2id in PHC form; '' until the link was used
    disabled   INTEGER NOT NULL DEFAULT 0 CHECK (disabled IN (0, 1)),
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE person_role (
    person_id INTEGER NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    role      TEXT    NOT NULL CHECK (role IN ('recepcao', 'supervisao', 'administracao')),
    PRIMARY KEY (person_id, role)
) STRICT, WITHOUT ROWID;

-- The unit itself is in the register; people only carry its identifier.
CREATE TABLE person_unit (
    person_id INTEGER NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    unit_uid  BLOB    NOT NULL CHECK (length(unit_uid) = 16),
    PRIMARY KEY (person_id, unit_uid)
) STRICT, WITHOUT ROWID;

-- A one-time link to choose a password. Without a person it creates the first administrator.
CREATE TABLE activation (
    id         INTEGER PRIMARY KEY,
    hash       BLOB    NOT NULL UNIQUE CHECK (length(hash) = 32), -- SHA-256 of the link's secret
    person_id  INTEGER REFERENCES person (id) ON DELETE CASCADE,
    expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX activation_person ON activation (person_id);

CREATE TABLE session (
    id         INTEGER PRIMARY KEY,
    uid        BLOB    NOT NULL UNIQUE CHECK (length(uid) = 16),
    hash       BLOB    NOT NULL UNIQUE CHECK (length(hash) = 32), -- SHA-256 of the session's secret
    person_id  INTEGER NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL,
    active_at  INTEGER NOT NULL,                                  -- last thing the person did; polling does not count
    data       BLOB    NOT NULL DEFAULT x'' CHECK (length(data) <= 65536)
) STRICT;

CREATE INDEX session_person ON session (person_id);
CREATE INDEX session_active ON session (active_at);

-- Failed logins, by what was typed and by where it came from. Only hashes: people type passwords into the wrong field.
CREATE TABLE login_throttle (
    subject    BLOB    PRIMARY KEY CHECK (length(subject) = 32),
    failures   INTEGER NOT NULL CHECK (failures > 0),
    failed_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX login_throttle_failed ON login_throttle (failed_at);
