-- +goose Up

-- Identifiers: id inside the database, uid outside it. Times: microseconds since 1970 in UTC, 0 when there is none.
-- What the service was asked and what it answered is only ever added to: triggers refuse changes.

-- A partner integration profile: who may call, by which methods, for what, how often (specification 5).
CREATE TABLE profile (
    id         INTEGER PRIMARY KEY,
    uid        BLOB    NOT NULL UNIQUE CHECK (length(uid) = 16),
    name       TEXT    NOT NULL CHECK (name <> ''),
    methods    TEXT    NOT NULL,                            -- words separated by spaces: 'chave'
    scopes     TEXT    NOT NULL,                            -- words separated by spaces: 'credenciais:ler autorizacoes:criar'
    rate       INTEGER NOT NULL DEFAULT 0 CHECK (rate >= 0), -- requests a minute; 0 is no limit
    rate_until INTEGER NOT NULL DEFAULT 0,                  -- when what was asked so far is paid for
    disabled   INTEGER NOT NULL DEFAULT 0 CHECK (disabled IN (0, 1)),
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE api_key (
    id         INTEGER PRIMARY KEY,
    uid        BLOB    NOT NULL UNIQUE CHECK (length(uid) = 16),
    profile_id INTEGER NOT NULL REFERENCES profile (id),
    hash       BLOB    NOT NULL UNIQUE CHECK (length(hash) = 32), -- SHA-256 of the key
    hint       TEXT    NOT NULL,                                  -- last characters, to tell keys apart
    idle       INTEGER NOT NULL DEFAULT 0 CHECK (idle >= 0),      -- microseconds without use after which it ends; 0 is never
    created_at INTEGER NOT NULL,
    used_at    INTEGER NOT NULL DEFAULT 0,
    revoked_at INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX api_key_profile ON api_key (profile_id);

-- A credential of the provider at an operator, with its settings (specification 2.2).
CREATE TABLE credential (
    id                INTEGER PRIMARY KEY,
    uid               BLOB    NOT NULL UNIQUE CHECK (length(uid) = 16),
    eligibility_uid   BLOB    NOT NULL CHECK (length(eligibility_uid) = 16),
    name              TEXT    NOT NULL CHECK (name <> ''),
    provider_code     TEXT    NOT NULL,
    operator          TEXT    NOT NULL,                          -- key of the operator's connector
    ans_register      TEXT    NOT NULL DEFAULT '',
    contractor        TEXT    NOT NULL DEFAULT '',               -- name of the provider, as printed on guides
    cnes              TEXT    NOT NULL DEFAULT '',
    indication        TEXT    NOT NULL DEFAULT '',               -- indicacaoClinica when omitted
    biometrics        INTEGER NOT NULL DEFAULT 0 CHECK (biometrics IN (0, 1)),
    validity_required INTEGER NOT NULL DEFAULT 0 CHECK (validity_required IN (0, 1)),
    card_pattern      TEXT    NOT NULL DEFAULT '',               -- regular expression; '' takes any card
    timeout           INTEGER NOT NULL DEFAULT 0 CHECK (timeout >= 0), -- microseconds for the operator's answer; 0 is the service's
    disabled          INTEGER NOT NULL DEFAULT 0 CHECK (disabled IN (0, 1)),
    sort_name         TEXT    NOT NULL,                          -- name without case and accents
    searched          TEXT    NOT NULL                           -- name and provider code without case and accents
) STRICT;

CREATE INDEX credential_sort ON credential (sort_name, id);

CREATE TABLE unit (
    id        INTEGER PRIMARY KEY,
    uid       BLOB    NOT NULL UNIQUE CHECK (length(uid) = 16),
    name      TEXT    NOT NULL CHECK (name <> ''),
    sort_name TEXT    NOT NULL,
    disabled  INTEGER NOT NULL DEFAULT 0 CHECK (disabled IN (0, 1))
) STRICT;

CREATE TABLE care_point (
    id       INTEGER PRIMARY KEY,
    uid      BLOB    NOT NULL UNIQUE CHECK (length(uid) = 16),
    unit_id  INTEGER NOT NULL REFERENCES unit (id),
    name     TEXT    NOT NULL CHECK (name <> ''),
    disabled INTEGER NOT NULL DEFAULT 0 CHECK (disabled IN (0, 1))
) STRICT;

CREATE INDEX care_point_unit ON care_point (unit_id);

CREATE TABLE professional (
    id        INTEGER PRIMARY KEY,
    uid       BLOB    NOT NULL UNIQUE CHECK (length(uid) = 16),
    name      TEXT    NOT NULL CHECK (name <> ''),
    sort_name TEXT    NOT NULL,
    council   TEXT    NOT NULL DEFAULT '',
    number    TEXT    NOT NULL DEFAULT '',
    state     TEXT    NOT NULL DEFAULT '',
    disabled  INTEGER NOT NULL DEFAULT 0 CHECK (disabled IN (0, 1))
) STRICT;

CREATE TABLE specialty (
    professional_id INTEGER NOT NULL REFERENCES professional (id) ON DELETE CASCADE,
    number          INTEGER NOT NULL CHECK (number > 0), -- especialidadeExecutanteId
    name            TEXT    NOT NULL CHECK (name <> ''),
    cbo             TEXT    NOT NULL DEFAULT '',
    PRIMARY KEY (professional_id, number)
) STRICT, WITHOUT ROWID;

-- A request that was read, checked and taken. It is here before its operator is asked.
CREATE TABLE request (
    id             INTEGER PRIMARY KEY,
    uid            BLOB    NOT NULL UNIQUE CHECK (length(uid) = 16),
    profile_id     INTEGER NOT NULL REFERENCES profile (id),
    credential_id  INTEGER NOT NULL REFERENCES credential (id),
    provider_guide TEXT    NOT NULL CHECK (provider_guide <> ''),
    fingerprint    BLOB    NOT NULL CHECK (length(fingerprint) = 32), -- of the request as it was sent
    document       TEXT    NOT NULL,                                  -- the request as it was understood, JSON
    received_at    INTEGER NOT NULL,
    UNIQUE (profile_id, provider_guide)
) STRICT;

-- The blobs of a request's attachments.
CREATE TABLE request_blob (
    request_id INTEGER NOT NULL REFERENCES request (id),
    position   INTEGER NOT NULL,
    ref        TEXT    NOT NULL,
    PRIMARY KEY (request_id, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX request_blob_ref ON request_blob (ref);

-- Idempotency-Key of a request, for as long as it is kept (interface.md, row 11). Only hashes: partners choose the keys.
CREATE TABLE idempotency_key (
    profile_id INTEGER NOT NULL REFERENCES profile (id),
    hash       BLOB    NOT NULL CHECK (length(hash) = 32),
    request_id INTEGER NOT NULL REFERENCES request (id),
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (profile_id, hash)
) STRICT, WITHOUT ROWID;

CREATE INDEX idempotency_key_expires ON idempotency_key (expires_at);

-- What came of asking the operator: failures, then at most one answer, which is final.
CREATE TABLE decision (
    id         INTEGER PRIMARY KEY,
    request_id INTEGER NOT NULL REFERENCES request (id),
    at         INTEGER NOT NULL,
    actor      TEXT    NOT NULL CHECK (actor <> ''),  -- key of the operator's connector
    failure    TEXT    NOT NULL DEFAULT '',           -- '' is an answer; 'falha_operadora', 'tempo_operadora'
    simulated  INTEGER NOT NULL DEFAULT 0 CHECK (simulated IN (0, 1)),
    answer     TEXT    NOT NULL DEFAULT '',           -- blob of the answer as it goes over the wire
    size       INTEGER NOT NULL DEFAULT 0,
    errors     TEXT    NOT NULL DEFAULT '[]',         -- top-level errors of the answer, JSON
    CHECK ((failure = '') = (answer <> ''))
) STRICT;

CREATE UNIQUE INDEX decision_answer ON decision (request_id) WHERE failure = '';
CREATE INDEX decision_request ON decision (request_id, id);
CREATE INDEX decision_blob ON decision (answer);

-- The status codes (specification 3) and which may follow which (interface.md, row 19).
CREATE TABLE status (
    code TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

INSERT INTO status (code) VALUES
    ('A'), ('Z'), ('R'), ('N'), ('K'), ('C'), ('P'), ('E'), ('S'), ('M'), ('I'), ('Ç'), ('H'), ('T'), ('X'), ('V'), ('W'), ('-');

CREATE TABLE status_transition (
    before TEXT NOT NULL REFERENCES status (code),
    after  TEXT NOT NULL REFERENCES status (code),
    PRIMARY KEY (before, after)
) STRICT, WITHOUT ROWID;

INSERT INTO status_transition (before, after) VALUES
    ('K', 'R'),
    ('R', 'A'), ('R', 'Z'), ('R', 'N'), ('R', 'S'), ('R', 'H'),
    ('S', 'R'),
    ('H', 'A'), ('H', 'T'), ('T', 'A'),
    ('A', 'W'), ('Z', 'W'), ('W', 'P'), ('P', 'E'),
    ('A', 'X'), ('Z', 'X'), ('W', 'X'), ('R', 'X'), ('S', 'X'), ('H', 'X'),
    ('X', 'C');

CREATE TABLE authorization_entry (
    id         INTEGER PRIMARY KEY,
    uid        BLOB    NOT NULL UNIQUE CHECK (length(uid) = 16), -- guiaId
    request_id INTEGER NOT NULL REFERENCES request (id),
    number     INTEGER NOT NULL CHECK (number > 0),              -- numeroAutorizacao
    status     TEXT    NOT NULL REFERENCES status (code),
    guide      TEXT    NOT NULL DEFAULT '',                      -- blob of the guide's PDF; '' when there is none
    document   TEXT    NOT NULL,                                 -- the entry as the operator decided it, JSON
    UNIQUE (request_id, number)
) STRICT;

CREATE INDEX authorization_guide ON authorization_entry (guide);

-- Every status that an authorization ever had.
CREATE TABLE authorization_status (
    id               INTEGER PRIMARY KEY,
    entry_id INTEGER NOT NULL REFERENCES authorization_entry (id),
    before           TEXT    NOT NULL DEFAULT '', -- '' is the first
    after            TEXT    NOT NULL REFERENCES status (code),
    at               INTEGER NOT NULL,
    actor            TEXT    NOT NULL CHECK (actor <> '') -- operator's connector
) STRICT;

CREATE INDEX authorization_status_of ON authorization_status (entry_id, id);

-- +goose StatementBegin
CREATE TRIGGER authorization_follows_life BEFORE UPDATE OF status ON authorization_entry
WHEN NOT EXISTS (SELECT 1 FROM status_transition WHERE before = OLD.status AND after = NEW.status)
BEGIN
    SELECT RAISE(ABORT, 'this status does not follow that one');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER authorization_fixed BEFORE UPDATE OF uid, request_id, number, guide, document ON authorization_entry
BEGIN
    SELECT RAISE(ABORT, 'what was decided is never changed');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER authorization_kept BEFORE DELETE ON authorization_entry
BEGIN
    SELECT RAISE(ABORT, 'authorizations are never deleted');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER authorization_status_fixed BEFORE UPDATE ON authorization_status
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never changed');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER authorization_status_kept BEFORE DELETE ON authorization_status
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never shortened');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER request_fixed BEFORE UPDATE ON request
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never changed');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER request_kept BEFORE DELETE ON request
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never shortened');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER decision_fixed BEFORE UPDATE ON decision
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never changed');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER decision_kept BEFORE DELETE ON decision
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never shortened');
END;
-- +goose StatementEnd
