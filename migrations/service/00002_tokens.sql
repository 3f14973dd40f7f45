-- +goose Up

-- Who may ask for tokens, the tokens, and failed attempts (specification 4.6 to 4.8 and 5; interface.md, rows 23 to 26).
-- Of secrets there are only hashes.

-- A program's user of the token login, of one partner profile.
CREATE TABLE service_user (
    id         INTEGER PRIMARY KEY,
    uid        BLOB    NOT NULL UNIQUE CHECK (length(uid) = 16),
    profile_id INTEGER NOT NULL REFERENCES profile (id),
    name       TEXT    NOT NULL UNIQUE CHECK (name <> ''),   -- usuario, in lower case
    password   TEXT    NOT NULL CHECK (password <> ''),      -- argon2id, PHC string
    disabled   INTEGER NOT NULL DEFAULT 0 CHECK (disabled IN (0, 1)),
    created_at INTEGER NOT NULL,
    used_at    INTEGER NOT NULL DEFAULT 0                    -- last login
) STRICT;

CREATE INDEX service_user_profile ON service_user (profile_id);

-- An OAuth 2.0 client of a partner profile. Its uid is the client_id.
CREATE TABLE oauth_client (
    id         INTEGER PRIMARY KEY,
    uid        BLOB    NOT NULL UNIQUE CHECK (length(uid) = 16),
    profile_id INTEGER NOT NULL REFERENCES profile (id),
    name       TEXT    NOT NULL CHECK (name <> ''),
    hash       BLOB    NOT NULL UNIQUE CHECK (length(hash) = 32), -- SHA-256 of the client_secret
    hint       TEXT    NOT NULL,                                  -- last characters of the secret
    idle       INTEGER NOT NULL DEFAULT 0 CHECK (idle >= 0),      -- microseconds without use after which it ends; 0 is never
    created_at INTEGER NOT NULL,
    used_at    INTEGER NOT NULL DEFAULT 0,                        -- last token
    revoked_at INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX oauth_client_profile ON oauth_client (profile_id);

-- All tokens that come of one login or of one client credentials grant: they are revoked together.
CREATE TABLE token_family (
    id         INTEGER PRIMARY KEY,
    uid        BLOB    NOT NULL UNIQUE CHECK (length(uid) = 16),
    profile_id INTEGER NOT NULL REFERENCES profile (id),
    user_id    INTEGER REFERENCES service_user (id),
    client_id  INTEGER REFERENCES oauth_client (id),
    scopes     TEXT    NOT NULL DEFAULT '',  -- words separated by spaces; '' is all that the profile has at each moment
    created_at INTEGER NOT NULL,
    used_at    INTEGER NOT NULL DEFAULT 0,
    ends_at    INTEGER NOT NULL,             -- when its last token ends
    revoked_at INTEGER NOT NULL DEFAULT 0,
    reason     TEXT    NOT NULL DEFAULT '' CHECK (reason IN ('', 'console', 'reuso', 'usuario', 'cliente')),
    CHECK ((user_id IS NULL) <> (client_id IS NULL)),
    CHECK ((revoked_at = 0) = (reason = ''))
) STRICT;

CREATE INDEX token_family_profile ON token_family (profile_id);
CREATE INDEX token_family_user ON token_family (user_id);
CREATE INDEX token_family_client ON token_family (client_id);
CREATE INDEX token_family_ends ON token_family (ends_at);

CREATE TABLE token (
    id         INTEGER PRIMARY KEY,
    family_id  INTEGER NOT NULL REFERENCES token_family (id) ON DELETE CASCADE,
    kind       TEXT    NOT NULL CHECK (kind IN ('acesso', 'renovacao')),
    hash       BLOB    NOT NULL UNIQUE CHECK (length(hash) = 32), -- SHA-256 of the token
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    spent_at   INTEGER NOT NULL DEFAULT 0                         -- a refresh token is used once
) STRICT;

CREATE INDEX token_family_of ON token (family_id);
CREATE INDEX token_expires ON token (expires_at);

-- Failed attempts to guess a secret. The subject is a hash of the user name or of the address.
CREATE TABLE throttle (
    subject   BLOB    PRIMARY KEY CHECK (length(subject) = 32),
    failures  INTEGER NOT NULL CHECK (failures > 0),
    failed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX throttle_failed ON throttle (failed_at);
