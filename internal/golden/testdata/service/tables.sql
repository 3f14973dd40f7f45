CREATE TABLE goose_db_version (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		version_id INTEGER NOT NULL,
		is_applied INTEGER NOT NULL,
		tstamp TIMESTAMP DEFAULT (datetime('now'))
	);
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
, attachments_for TEXT NOT NULL DEFAULT '') STRICT;
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
    cbo             TEXT    NOT NULL DEFAULT '', disabled INTEGER NOT NULL DEFAULT 0 CHECK (disabled IN (0, 1)),
    PRIMARY KEY (professional_id, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE request (
    id             INTEGER PRIMARY KEY,
    uid            BLOB    NOT NULL UNIQUE CHECK (length(uid) = 16),
    profile_id     INTEGER NOT NULL REFERENCES profile (id),
    credential_id  INTEGER NOT NULL REFERENCES credential (id),
    provider_guide TEXT    NOT NULL CHECK (provider_guide <> ''),
    fingerprint    BLOB    NOT NULL CHECK (length(fingerprint) = 32), -- of the request as it was sent
    document       TEXT    NOT NULL,                                  -- the request as it was understood, JSON
    received_at    INTEGER NOT NULL, method TEXT NOT NULL DEFAULT '' CHECK (method IN ('', 'chave', 'senha', 'oauth')), access_uid BLOB CHECK (length(access_uid) = 16),
    UNIQUE (profile_id, provider_guide)
) STRICT;
CREATE TABLE request_blob (
    request_id INTEGER NOT NULL REFERENCES request (id),
    position   INTEGER NOT NULL,
    ref        TEXT    NOT NULL,
    PRIMARY KEY (request_id, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE idempotency_key (
    profile_id INTEGER NOT NULL REFERENCES profile (id),
    hash       BLOB    NOT NULL CHECK (length(hash) = 32),
    request_id INTEGER NOT NULL REFERENCES request (id),
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (profile_id, hash)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE status (
    code TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
CREATE TABLE status_transition (
    before TEXT NOT NULL REFERENCES status (code),
    after  TEXT NOT NULL REFERENCES status (code),
    PRIMARY KEY (before, after)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE authorization_status (
    id               INTEGER PRIMARY KEY,
    entry_id INTEGER NOT NULL REFERENCES authorization_entry (id),
    before           TEXT    NOT NULL DEFAULT '', -- '' is the first
    after            TEXT    NOT NULL REFERENCES status (code),
    at               INTEGER NOT NULL,
    actor            TEXT    NOT NULL CHECK (actor <> '') -- operator's connector
) STRICT;
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
    reason     TEXT    NOT NULL DEFAULT '' CHECK (reason IN ('', 'console', 'reuso', 'usuario', 'cliente')), renewed_at INTEGER NOT NULL DEFAULT 0,
    CHECK ((user_id IS NULL) <> (client_id IS NULL)),
    CHECK ((revoked_at = 0) = (reason = ''))
) STRICT;
CREATE TABLE token (
    id         INTEGER PRIMARY KEY,
    family_id  INTEGER NOT NULL REFERENCES token_family (id) ON DELETE CASCADE,
    kind       TEXT    NOT NULL CHECK (kind IN ('acesso', 'renovacao')),
    hash       BLOB    NOT NULL UNIQUE CHECK (length(hash) = 32), -- SHA-256 of the token
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    spent_at   INTEGER NOT NULL DEFAULT 0                         -- a refresh token is used once
) STRICT;
CREATE TABLE throttle (
    subject   BLOB    PRIMARY KEY CHECK (length(subject) = 32),
    failures  INTEGER NOT NULL CHECK (failures > 0),
    failed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE acceptance (
    request_id INTEGER PRIMARY KEY REFERENCES request (id),
    guide_uid  BLOB    NOT NULL UNIQUE CHECK (length(guide_uid) = 16), -- guiaId of its first authorization
    asked_at   INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE task (
    id            INTEGER PRIMARY KEY,
    credential_id INTEGER NOT NULL REFERENCES credential (id),
    request_id    INTEGER NOT NULL REFERENCES request (id),
    entry_id      INTEGER REFERENCES authorization_entry (id), -- NULL: the request itself is to be decided
    due_at        INTEGER NOT NULL,
    tries         INTEGER NOT NULL DEFAULT 0                   -- that brought nothing new
) STRICT;
CREATE TABLE authorization_revision (
    id       INTEGER PRIMARY KEY,
    entry_id INTEGER NOT NULL REFERENCES authorization_entry (id),
    at       INTEGER NOT NULL,
    actor    TEXT    NOT NULL CHECK (actor <> ''),
    guide    TEXT    NOT NULL DEFAULT '', -- blob of the guide's PDF
    document TEXT    NOT NULL             -- JSON
) STRICT;
CREATE TABLE act (
    id          INTEGER PRIMARY KEY,
    uid         BLOB    NOT NULL UNIQUE CHECK (length(uid) = 16),
    profile_id  INTEGER NOT NULL REFERENCES profile (id),
    entry_id    INTEGER NOT NULL REFERENCES authorization_entry (id),
    kind        TEXT    NOT NULL CHECK (kind IN ('anexos', 'biometria', 'cancelamento')),
    before      TEXT    NOT NULL REFERENCES status (code),
    fingerprint BLOB    NOT NULL CHECK (length(fingerprint) = 32),
    note        TEXT    NOT NULL DEFAULT '', -- why it is cancelled
    received_at INTEGER NOT NULL
, method TEXT NOT NULL DEFAULT '' CHECK (method IN ('', 'chave', 'senha', 'oauth')), access_uid BLOB CHECK (length(access_uid) = 16)) STRICT;
CREATE TABLE act_blob (
    act_id       INTEGER NOT NULL REFERENCES act (id),
    position     INTEGER NOT NULL,
    ref          TEXT    NOT NULL,
    size         INTEGER NOT NULL,
    name         TEXT    NOT NULL DEFAULT '',
    content_type TEXT    NOT NULL DEFAULT '',
    PRIMARY KEY (act_id, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE act_key (
    profile_id INTEGER NOT NULL REFERENCES profile (id),
    hash       BLOB    NOT NULL CHECK (length(hash) = 32),
    act_id     INTEGER NOT NULL REFERENCES act (id),
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (profile_id, hash)
) STRICT, WITHOUT ROWID;
CREATE TABLE act_result (
    id      INTEGER PRIMARY KEY,
    act_id  INTEGER NOT NULL REFERENCES act (id),
    at      INTEGER NOT NULL,
    failure TEXT    NOT NULL DEFAULT '', -- '' is an answer
    answer  TEXT    NOT NULL DEFAULT '', -- blob of the answer as it goes over the wire
    size    INTEGER NOT NULL DEFAULT 0, actor TEXT NOT NULL DEFAULT '',
    CHECK ((failure = '') = (answer <> ''))
) STRICT;
CREATE TABLE credential_changes (
    id    INTEGER PRIMARY KEY CHECK (id = 1),
    count INTEGER NOT NULL
) STRICT;
