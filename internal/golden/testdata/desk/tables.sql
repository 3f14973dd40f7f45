CREATE TABLE goose_db_version (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		version_id INTEGER NOT NULL,
		is_applied INTEGER NOT NULL,
		tstamp TIMESTAMP DEFAULT (datetime('now'))
	);
CREATE TABLE person (
    id         INTEGER PRIMARY KEY,
    uid        BLOB    NOT NULL UNIQUE CHECK (length(uid) = 16),
    login      TEXT    NOT NULL UNIQUE CHECK (login <> '' AND length(login) <= 64), -- folded: lower case, no spaces around
    name       TEXT    NOT NULL CHECK (name <> '' AND length(name) <= 200),
    password   TEXT    NOT NULL DEFAULT '',                                         -- argon2id in PHC form; '' until the link was used
    disabled   INTEGER NOT NULL DEFAULT 0 CHECK (disabled IN (0, 1)),
    created_at INTEGER NOT NULL
, theme TEXT NOT NULL DEFAULT 'sistema' CHECK (theme IN ('sistema', 'claro', 'escuro')), keys_off INTEGER NOT NULL DEFAULT 0 CHECK (keys_off IN (0, 1)), last_login_at INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE person_role (
    person_id INTEGER NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    role      TEXT    NOT NULL CHECK (role IN ('recepcao', 'supervisao', 'administracao')),
    PRIMARY KEY (person_id, role)
) STRICT, WITHOUT ROWID;
CREATE TABLE person_unit (
    person_id INTEGER NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    unit_uid  BLOB    NOT NULL CHECK (length(unit_uid) = 16),
    PRIMARY KEY (person_id, unit_uid)
) STRICT, WITHOUT ROWID;
CREATE TABLE activation (
    id         INTEGER PRIMARY KEY,
    hash       BLOB    NOT NULL UNIQUE CHECK (length(hash) = 32), -- SHA-256 of the link's secret
    person_id  INTEGER REFERENCES person (id) ON DELETE CASCADE,
    expires_at INTEGER NOT NULL
) STRICT;
CREATE TABLE session (
    id         INTEGER PRIMARY KEY,
    uid        BLOB    NOT NULL UNIQUE CHECK (length(uid) = 16),
    hash       BLOB    NOT NULL UNIQUE CHECK (length(hash) = 32), -- SHA-256 of the session's secret
    person_id  INTEGER NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL,
    active_at  INTEGER NOT NULL,                                  -- last thing the person did; polling does not count
    data       BLOB    NOT NULL DEFAULT x'' CHECK (length(data) <= 65536)
, device TEXT NOT NULL DEFAULT '' CHECK (length(device) <= 64), address TEXT NOT NULL DEFAULT '' CHECK (length(address) <= 64)) STRICT;
CREATE TABLE login_throttle (
    subject    BLOB    PRIMARY KEY CHECK (length(subject) = 32),
    failures   INTEGER NOT NULL CHECK (failures > 0),
    failed_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE audit_entry (
    id        INTEGER PRIMARY KEY CHECK (id > 0),  -- position in the chain, without gaps
    at        INTEGER NOT NULL,                    -- microseconds since 1970, UTC
    actor     BLOB CHECK (length(actor) = 16),     -- person.uid; NULL is the program
    event     TEXT NOT NULL CHECK (event <> ''),
    object    TEXT NOT NULL DEFAULT '',            -- kind of thing: 'pessoa', 'caso'
    object_id BLOB CHECK (length(object_id) = 16), -- uid of the thing; NULL when there is none
    detail    TEXT NOT NULL DEFAULT '',            -- fixed words, never personal data
    mac       BLOB NOT NULL CHECK (length(mac) = 32)
) STRICT;
CREATE TABLE care_unit (
    id         INTEGER PRIMARY KEY,
    uid        BLOB    NOT NULL UNIQUE CHECK (length(uid) = 16), -- unidadeId
    name       TEXT    NOT NULL CHECK (name <> ''),
    active     INTEGER NOT NULL CHECK (active IN (0, 1)),
    updated_at INTEGER NOT NULL
, standing INTEGER NOT NULL DEFAULT 0 CHECK (standing IN (0, 1, 2))) STRICT;
CREATE TABLE care_point (
    id         INTEGER PRIMARY KEY,
    uid        BLOB    NOT NULL UNIQUE CHECK (length(uid) = 16), -- pontoAtendimentoId
    unit_id    INTEGER NOT NULL REFERENCES care_unit (id) ON DELETE RESTRICT,
    name       TEXT    NOT NULL CHECK (name <> ''),
    active     INTEGER NOT NULL CHECK (active IN (0, 1)),
    updated_at INTEGER NOT NULL
, standing INTEGER NOT NULL DEFAULT 0 CHECK (standing IN (0, 1, 2))) STRICT;
CREATE TABLE professional (
    id             INTEGER PRIMARY KEY,
    uid            BLOB    NOT NULL UNIQUE CHECK (length(uid) = 16), -- profissionalExecutanteId
    name           TEXT    NOT NULL CHECK (name <> ''),
    council        TEXT    NOT NULL, -- ANS table 26 by abbreviation: CRM
    council_number TEXT    NOT NULL,
    state          TEXT    NOT NULL, -- ANS table 59 by abbreviation: SP
    active         INTEGER NOT NULL CHECK (active IN (0, 1)),
    updated_at     INTEGER NOT NULL
, standing INTEGER NOT NULL DEFAULT 0 CHECK (standing IN (0, 1, 2))) STRICT;
CREATE TABLE professional_specialty (
    professional_id INTEGER NOT NULL REFERENCES professional (id) ON DELETE CASCADE,
    specialty       INTEGER NOT NULL CHECK (specialty > 0), -- especialidadeExecutanteId
    name            TEXT    NOT NULL CHECK (name <> ''),
    cbo             TEXT    NOT NULL, -- ANS table 24, '' when unknown
    PRIMARY KEY (professional_id, specialty)
) STRICT, WITHOUT ROWID;
CREATE TABLE procedure (
    id         INTEGER PRIMARY KEY,
    uid        BLOB    NOT NULL UNIQUE CHECK (length(uid) = 16),
    code       TEXT    NOT NULL UNIQUE CHECK (code <> ''), -- ANS table 22 (TUSS)
    name       TEXT    NOT NULL CHECK (name <> ''),
    aliases    TEXT    NOT NULL, -- one a line: the words people type
    active     INTEGER NOT NULL CHECK (active IN (0, 1)),
    updated_at INTEGER NOT NULL
) STRICT;
CREATE TABLE credential (
    id                INTEGER PRIMARY KEY,
    uid               BLOB    NOT NULL UNIQUE CHECK (length(uid) = 16), -- credencialId
    name              TEXT    NOT NULL, -- operator name, as the service last gave it
    provider_code     TEXT    NOT NULL, -- codigoPrestador, likewise
    eligibility_uid   BLOB    CHECK (length(eligibility_uid) = 16), -- credencialElegibilityId
    validity_required INTEGER NOT NULL CHECK (validity_required IN (0, 1)),
    card_pattern      TEXT    NOT NULL, -- regular expression over the whole card; '' takes any card
    indication        TEXT    NOT NULL, -- default indicacaoClinica; '' when there is none
    biometrics        INTEGER NOT NULL CHECK (biometrics IN (0, 1)),
    edited            INTEGER NOT NULL CHECK (edited IN (0, 1)), -- a person decided: the service no longer prefills biometrics
    active            INTEGER NOT NULL CHECK (active IN (0, 1)),
    updated_at        INTEGER NOT NULL
) STRICT;
CREATE TABLE installation (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    number  INTEGER NOT NULL CHECK (number BETWEEN 0 AND 999),
    counter INTEGER NOT NULL CHECK (counter >= 0) -- guides numbered so far
) STRICT;
CREATE TABLE desk_person (
    uid  BLOB PRIMARY KEY CHECK (length(uid) = 16),
    name TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE draft (
    id           INTEGER PRIMARY KEY,
    uid          BLOB    NOT NULL UNIQUE CHECK (length(uid) = 16), -- the submission's one-time token
    owner        BLOB    NOT NULL CHECK (length(owner) = 16),
    state        TEXT    NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'sent', 'discarded')),
    form         TEXT    NOT NULL CHECK (json_valid(form)), -- what was typed, exactly
    version      INTEGER NOT NULL CHECK (version >= 0),     -- of the form
    revision     INTEGER NOT NULL CHECK (revision >= 0),    -- of form and attachments
    previous_uid BLOB    CHECK (length(previous_uid) = 16), -- the case it is a copy of
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL,
    CHECK (state = 'open' OR form = '{}') -- what is over keeps nothing of a patient
) STRICT;
CREATE TABLE draft_attachment (
    id           INTEGER PRIMARY KEY,
    uid          BLOB    NOT NULL UNIQUE CHECK (length(uid) = 16),
    draft_id     INTEGER NOT NULL REFERENCES draft (id) ON DELETE CASCADE,
    name         TEXT    NOT NULL CHECK (name <> ''),
    content_type TEXT    NOT NULL,
    size         INTEGER NOT NULL CHECK (size > 0),
    blob         TEXT    NOT NULL CHECK (length(blob) = 64)
) STRICT;
CREATE TABLE submission (
    id                  INTEGER PRIMARY KEY,
    uid                 BLOB    NOT NULL UNIQUE CHECK (length(uid) = 16),
    token               BLOB    NOT NULL UNIQUE CHECK (length(token) = 16), -- the draft's uid: pressing twice finds this row
    sender              BLOB    NOT NULL CHECK (length(sender) = 16),
    previous_uid        BLOB    CHECK (length(previous_uid) = 16),          -- the case it corrects or repeats
    idempotency_key     TEXT    NOT NULL UNIQUE,
    created_at          INTEGER NOT NULL,
    deadline_at         INTEGER NOT NULL,
    credential_uid      BLOB    NOT NULL CHECK (length(credential_uid) = 16),
    card_number         TEXT    NOT NULL,
    card_validity       TEXT    NOT NULL,
    beneficiary_name    TEXT    NOT NULL,
    beneficiary_plan    TEXT    NOT NULL,
    newborn             INTEGER NOT NULL CHECK (newborn IN (0, 1)),
    newborn_name        TEXT    NOT NULL,
    newborn_birth       TEXT    NOT NULL,
    patient_present     INTEGER NOT NULL CHECK (patient_present IN (0, 1)),
    unit_uid            BLOB    NOT NULL CHECK (length(unit_uid) = 16),
    care_point_uid      BLOB    NOT NULL CHECK (length(care_point_uid) = 16),
    requester_name      TEXT    NOT NULL,
    requester_council   TEXT    NOT NULL,
    requester_number    TEXT    NOT NULL,
    requester_state     TEXT    NOT NULL,
    executant_uid       BLOB    NOT NULL CHECK (length(executant_uid) = 16),
    specialty           INTEGER NOT NULL,
    accident_type       TEXT    NOT NULL,
    provider_guide      TEXT    NOT NULL UNIQUE CHECK (length(provider_guide) = 20),
    care_regime         TEXT    NOT NULL,
    care_type           TEXT    NOT NULL,
    notes               TEXT,   -- NULL: null on the wire
    clinical_indication TEXT,   -- NULL: absent on the wire
    follow_up           INTEGER NOT NULL CHECK (follow_up IN (0, 1)),
    contact_name        TEXT    NOT NULL,
    contact_area_code   TEXT    NOT NULL,
    contact_phone       TEXT    NOT NULL,
    contact_email       TEXT    NOT NULL,
    -- The names behind the identifiers, as they were then.
    credential_name     TEXT    NOT NULL,
    unit_name           TEXT    NOT NULL,
    care_point_name     TEXT    NOT NULL,
    executant_name      TEXT    NOT NULL,
    specialty_name      TEXT    NOT NULL
) STRICT;
CREATE TABLE submission_procedure (
    submission_id INTEGER NOT NULL REFERENCES submission (id),
    position      INTEGER NOT NULL,
    code          TEXT    NOT NULL,
    name          TEXT    NOT NULL,
    quantity      INTEGER NOT NULL CHECK (quantity BETWEEN 1 AND 999),
    PRIMARY KEY (submission_id, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE submission_attachment (
    id            INTEGER PRIMARY KEY,
    uid           BLOB    NOT NULL UNIQUE CHECK (length(uid) = 16),
    submission_id INTEGER NOT NULL REFERENCES submission (id),
    position      INTEGER NOT NULL,
    name          TEXT    NOT NULL,
    content_type  TEXT    NOT NULL,
    size          INTEGER NOT NULL CHECK (size > 0),
    blob          TEXT    NOT NULL CHECK (length(blob) = 64), -- SHA-256 of the bytes
    UNIQUE (submission_id, position)
) STRICT;
CREATE TABLE submission_state (
    submission_id    INTEGER PRIMARY KEY REFERENCES submission (id),
    unit_uid         BLOB    NOT NULL CHECK (length(unit_uid) = 16), -- whose people see it
    state            TEXT    NOT NULL CHECK (state IN ('queued', 'sending', 'answered', 'refused', 'unknown', 'withdrawn', 'resent')),
    status           TEXT    NOT NULL DEFAULT '', -- of an answer: the most urgent situacaoAutorizacao
    queue_group      INTEGER NOT NULL,            -- authorization.Group; 0 while unknown
    origin           TEXT    NOT NULL CHECK (origin IN ('guiche', 'servico', 'operadora', 'pessoa')),
    changed_at       INTEGER NOT NULL,
    reason           TEXT    NOT NULL DEFAULT '',
    alert            TEXT    NOT NULL DEFAULT '' CHECK (alert IN ('', 'held', 'conflict')),
    doubtful         INTEGER NOT NULL DEFAULT 0 CHECK (doubtful IN (0, 1)), -- an attempt may have been acted on
    attempt          INTEGER NOT NULL DEFAULT 0 CHECK (attempt >= 0),
    due_at           INTEGER NOT NULL DEFAULT 0,
    deadline_at      INTEGER NOT NULL,
    lease            BLOB    CHECK (length(lease) = 16), -- the process that sends it
    simulated        INTEGER NOT NULL DEFAULT 0 CHECK (simulated IN (0, 1)),
    authorizations   INTEGER NOT NULL DEFAULT 0,
    items            INTEGER NOT NULL DEFAULT 0,
    items_authorized INTEGER NOT NULL DEFAULT 0,
    password         TEXT    NOT NULL DEFAULT '',
    password_until   TEXT    NOT NULL DEFAULT '',
    CHECK ((state = 'queued') = (due_at > 0)),
    CHECK ((state = 'sending') = (lease IS NOT NULL)),
    CHECK (status = '' OR state = 'answered'),
    CHECK (alert <> 'held' OR state = 'queued'),
    CHECK (alert <> 'conflict' OR state = 'unknown'),
    CHECK (doubtful = 0 OR state IN ('queued', 'sending', 'unknown')),
    CHECK ((queue_group = 0) = (state = 'unknown'))
) STRICT;
CREATE TABLE attempt (
    id            INTEGER PRIMARY KEY,
    submission_id INTEGER NOT NULL REFERENCES submission (id),
    number        INTEGER NOT NULL CHECK (number > 0),
    lease         BLOB    NOT NULL CHECK (length(lease) = 16),
    started_at    INTEGER NOT NULL,
    UNIQUE (submission_id, number)
) STRICT;
CREATE TABLE exchange (
    attempt_id   INTEGER PRIMARY KEY REFERENCES attempt (id),
    started_at   INTEGER NOT NULL,
    ended_at     INTEGER NOT NULL,
    sent_bytes   INTEGER NOT NULL CHECK (sent_bytes >= 0),
    http_status  INTEGER NOT NULL, -- 0: no status line came back
    content_type TEXT    NOT NULL,
    retry_after  TEXT    NOT NULL,
    body         TEXT    NOT NULL, -- blob of the raw answer, '' when none came
    body_size    INTEGER NOT NULL,
    complete     INTEGER NOT NULL CHECK (complete IN (0, 1)),
    failure      TEXT    NOT NULL
) STRICT;
CREATE TABLE answer (
    id            INTEGER PRIMARY KEY,
    submission_id INTEGER NOT NULL REFERENCES submission (id),
    attempt       INTEGER NOT NULL, -- number of the attempt that brought it
    read_at       INTEGER NOT NULL,
    success       INTEGER NOT NULL CHECK (success IN (0, 1)),
    guide_pdf     TEXT    NOT NULL, -- blob of pdfGuia, '' when absent
    receipt_pdf   TEXT    NOT NULL  -- blob of pdfRecibo, '' when absent
) STRICT;
CREATE TABLE authorization (
    id             INTEGER PRIMARY KEY,
    answer_id      INTEGER NOT NULL REFERENCES answer (id),
    position       INTEGER NOT NULL,
    number         INTEGER NOT NULL, -- numeroAutorizacao
    success        INTEGER NOT NULL CHECK (success IN (0, 1)),
    status         TEXT    NOT NULL, -- situacaoAutorizacao
    guide_id       TEXT    NOT NULL,
    guide_number   TEXT    NOT NULL,
    password       TEXT    NOT NULL,
    password_until TEXT    NOT NULL,
    protocol       TEXT    NOT NULL,
    provider_guide TEXT    NOT NULL,
    partner_guide  TEXT    NOT NULL,
    request_number TEXT    NOT NULL,
    authorized_at  TEXT    NOT NULL,
    guide_pdf      TEXT    NOT NULL, -- blob of pdfGuiaAutorizacao, '' when absent
    UNIQUE (answer_id, position)
) STRICT;
CREATE TABLE authorization_procedure (
    authorization_id INTEGER NOT NULL REFERENCES authorization (id),
    position         INTEGER NOT NULL,
    code             TEXT    NOT NULL,
    name             TEXT    NOT NULL,
    quantity         INTEGER NOT NULL,
    authorized       INTEGER NOT NULL, -- quantidadeAutorizada
    executed         INTEGER NOT NULL, -- quantidadeExecutada
    password         TEXT    NOT NULL,
    protocol         TEXT    NOT NULL,
    justification    TEXT    NOT NULL,
    mnemonic         TEXT    NOT NULL,
    PRIMARY KEY (authorization_id, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE answer_error (
    answer_id INTEGER NOT NULL REFERENCES answer (id),
    place     INTEGER NOT NULL CHECK (place >= -2), -- -2: field of the request, -1: whole answer, else position of the authorization
    position  INTEGER NOT NULL,
    code      TEXT    NOT NULL,
    field     TEXT    NOT NULL,
    message   TEXT    NOT NULL,
    PRIMARY KEY (answer_id, place, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE submission_event (
    id            INTEGER PRIMARY KEY,
    submission_id INTEGER NOT NULL REFERENCES submission (id),
    at            INTEGER NOT NULL,
    kind          TEXT    NOT NULL CHECK (kind <> ''),
    actor         BLOB    CHECK (length(actor) = 16), -- NULL: the program
    attempt       INTEGER NOT NULL DEFAULT 0,
    reason        TEXT    NOT NULL DEFAULT ''
) STRICT;
CREATE TABLE history (
    submission_id  INTEGER PRIMARY KEY REFERENCES submission (id),
    created_at     INTEGER NOT NULL,
    unit_uid       BLOB    NOT NULL CHECK (length(unit_uid) = 16), -- whose people see it
    credential_uid BLOB    NOT NULL CHECK (length(credential_uid) = 16),
    sender         BLOB    NOT NULL CHECK (length(sender) = 16),
    queue_group    INTEGER NOT NULL, -- authorization.Group; 0 while unknown
    status         TEXT    NOT NULL, -- of an answer: the most urgent situacaoAutorizacao
    names          TEXT    NOT NULL,
    numbers        TEXT    NOT NULL,
    procedures     TEXT    NOT NULL
) STRICT;
CREATE TABLE history_filter (
    id             INTEGER PRIMARY KEY,
    uid            BLOB    NOT NULL UNIQUE CHECK (length(uid) = 16), -- random: says nothing of when or by whom
    owner          BLOB    NOT NULL CHECK (length(owner) = 16),
    used_at        INTEGER NOT NULL,
    from_day       TEXT    NOT NULL, -- as on the wire, '' when open
    until_day      TEXT    NOT NULL,
    queue_group    INTEGER,          -- NULL: any
    status         TEXT    NOT NULL, -- '': any
    credential_uid BLOB    CHECK (length(credential_uid) = 16),
    unit_uid       BLOB    CHECK (length(unit_uid) = 16),
    sender         BLOB    CHECK (length(sender) = 16),
    text           TEXT    NOT NULL
) STRICT;
CREATE TABLE connection (
  id              INTEGER PRIMARY KEY CHECK (id = 1),
  embedded        INTEGER NOT NULL CHECK (embedded IN (0, 1)),
  base_url        TEXT NOT NULL CHECK (length(base_url) <= 300),
  internal_host   TEXT NOT NULL CHECK (length(internal_host) <= 255), -- the one host that may lie in a local network
  method          TEXT NOT NULL CHECK (method IN ('chave', 'senha', 'oauth')),
  service_user    TEXT NOT NULL CHECK (length(service_user) <= 200),
  login_path      TEXT NOT NULL CHECK (length(login_path) <= 200),
  user_field      TEXT NOT NULL CHECK (length(user_field) <= 64),
  password_field  TEXT NOT NULL CHECK (length(password_field) <= 64),
  client_id       TEXT NOT NULL CHECK (length(client_id) <= 200),
  attachments     TEXT NOT NULL CHECK (attachments IN ('object', 'string')),
  connect_s       INTEGER NOT NULL CHECK (connect_s > 0),  -- seconds
  query_s         INTEGER NOT NULL CHECK (query_s > 0),    -- seconds
  answer_s        INTEGER NOT NULL CHECK (answer_s > 0),   -- seconds
  deadline_s      INTEGER NOT NULL CHECK (deadline_s > 0), -- seconds
  by_hand         INTEGER NOT NULL CHECK (by_hand IN (0, 1)), -- 1: features are those listed, not what the service announces
  features        TEXT NOT NULL CHECK (length(features) <= 300), -- words of recursos, separated by spaces
  updated_at      INTEGER NOT NULL
, refresh_path     TEXT    NOT NULL DEFAULT '/api/v1/auth/refresh' CHECK (length(refresh_path) <= 200), token_path       TEXT    NOT NULL DEFAULT '/oauth/token' CHECK (length(token_path) <= 200), scope            TEXT    NOT NULL DEFAULT '' CHECK (length(scope) <= 200), client_basic     INTEGER NOT NULL DEFAULT 0 CHECK (client_basic IN (0, 1)), units_path       TEXT    NOT NULL DEFAULT '/api/v2/unidades' CHECK (length(units_path) <= 200), executants_path  TEXT    NOT NULL DEFAULT '/api/v2/profissionais-executantes' CHECK (length(executants_path) <= 200), eligibility      TEXT    NOT NULL DEFAULT 'recursos' CHECK (eligibility IN ('recursos', 'sempre', 'nunca')), eligibility_path TEXT    NOT NULL DEFAULT '/api/v1/elegibilidade' CHECK (length(eligibility_path) <= 200), upload_files     INTEGER NOT NULL DEFAULT 10 CHECK (upload_files > 0), upload_file      INTEGER NOT NULL DEFAULT 15728640 CHECK (upload_file > 0), upload_total     INTEGER NOT NULL DEFAULT 62914560 CHECK (upload_total > 0)) STRICT;
CREATE TABLE connection_secret (
  method    TEXT PRIMARY KEY CHECK (method IN ('chave', 'senha', 'oauth')),
  origin    TEXT NOT NULL, -- scheme://host:port
  sealed    BLOB NOT NULL,
  stored_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE register_source (
  id      INTEGER PRIMARY KEY CHECK (id = 1),
  service TEXT NOT NULL CHECK (service <> '') -- 'embutido', or scheme://host:port
) STRICT;
