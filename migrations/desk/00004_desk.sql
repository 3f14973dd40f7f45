-- +goose Up
-- The desk: drafts, submissions, what happened to them, and what was answered.
-- Identifiers: id inside the database, uid outside it. Times: microseconds since
-- 1970 in UTC, 0 when there is none. Dates without zone: as on the wire, ''
-- when there is none. What a submission asked for, its attempts, exchanges,
-- answers and events are never changed or deleted; only submission_state is.

-- This installation's part of guiaPrestador: drawn when first needed, and again
-- at every restore.
CREATE TABLE installation (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    number  INTEGER NOT NULL CHECK (number BETWEEN 0 AND 999),
    counter INTEGER NOT NULL CHECK (counter >= 0) -- guides numbered so far
) STRICT;

-- Names of those who acted, as last known; events carry the identifier only.
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

CREATE INDEX draft_open ON draft (owner, updated_at) WHERE state = 'open';

CREATE TABLE draft_attachment (
    id           INTEGER PRIMARY KEY,
    uid          BLOB    NOT NULL UNIQUE CHECK (length(uid) = 16),
    draft_id     INTEGER NOT NULL REFERENCES draft (id) ON DELETE CASCADE,
    name         TEXT    NOT NULL CHECK (name <> ''),
    content_type TEXT    NOT NULL,
    size         INTEGER NOT NULL CHECK (size > 0),
    blob         TEXT    NOT NULL CHECK (length(blob) = 64)
) STRICT;

CREATE INDEX draft_attachment_by_draft ON draft_attachment (draft_id);

-- One press of "Enviar": the request exactly as it is sent (specification 2.3).
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

CREATE INDEX submission_by_card ON submission (card_number, created_at);
CREATE INDEX submission_by_created ON submission (created_at);
CREATE INDEX submission_by_previous ON submission (previous_uid) WHERE previous_uid IS NOT NULL;

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


-- Where a submission stands now; a queued row is its own outbox.
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

CREATE INDEX submission_state_by_group ON submission_state (queue_group, submission_id, unit_uid, changed_at);
CREATE INDEX submission_state_queued ON submission_state (due_at) WHERE state = 'queued';
CREATE INDEX submission_state_deadline ON submission_state (deadline_at) WHERE state = 'queued';
CREATE INDEX submission_state_sending ON submission_state (lease) WHERE state = 'sending';
CREATE INDEX submission_state_alert ON submission_state (alert) WHERE alert <> '';

-- +goose StatementBegin
CREATE TRIGGER submission_state_begins BEFORE INSERT ON submission_state
WHEN NEW.state <> 'queued' OR NEW.attempt <> 0
BEGIN
    SELECT RAISE(ABORT, 'a submission begins queued');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER submission_state_moves BEFORE UPDATE OF state ON submission_state
WHEN OLD.state <> NEW.state AND NOT (
    (OLD.state = 'queued'  AND NEW.state IN ('sending', 'refused', 'withdrawn')) OR
    (OLD.state = 'sending' AND NEW.state IN ('queued', 'answered', 'refused', 'unknown')) OR
    (OLD.state = 'unknown' AND NEW.state IN ('answered', 'resent')))
BEGIN
    SELECT RAISE(ABORT, 'no such transition');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER submission_state_withdrawn BEFORE UPDATE OF state ON submission_state
WHEN NEW.state = 'withdrawn' AND OLD.doubtful = 1
BEGIN
    SELECT RAISE(ABORT, 'what may have been acted on is not withdrawn');
END;
-- +goose StatementEnd

-- An attempt is committed before its first byte leaves.
CREATE TABLE attempt (
    id            INTEGER PRIMARY KEY,
    submission_id INTEGER NOT NULL REFERENCES submission (id),
    number        INTEGER NOT NULL CHECK (number > 0),
    lease         BLOB    NOT NULL CHECK (length(lease) = 16),
    started_at    INTEGER NOT NULL,
    UNIQUE (submission_id, number)
) STRICT;

-- What an attempt left behind, committed before it is read.
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


-- An answer that was read (specification 2.5); the latest of a submission is in force.
CREATE TABLE answer (
    id            INTEGER PRIMARY KEY,
    submission_id INTEGER NOT NULL REFERENCES submission (id),
    attempt       INTEGER NOT NULL, -- number of the attempt that brought it
    read_at       INTEGER NOT NULL,
    success       INTEGER NOT NULL CHECK (success IN (0, 1)),
    guide_pdf     TEXT    NOT NULL, -- blob of pdfGuia, '' when absent
    receipt_pdf   TEXT    NOT NULL  -- blob of pdfRecibo, '' when absent
) STRICT;

CREATE INDEX answer_by_submission ON answer (submission_id);

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

-- erros at either level, and those that name a field of the request.
CREATE TABLE answer_error (
    answer_id INTEGER NOT NULL REFERENCES answer (id),
    place     INTEGER NOT NULL CHECK (place >= -2), -- -2: field of the request, -1: whole answer, else position of the authorization
    position  INTEGER NOT NULL,
    code      TEXT    NOT NULL,
    field     TEXT    NOT NULL,
    message   TEXT    NOT NULL,
    PRIMARY KEY (answer_id, place, position)
) STRICT, WITHOUT ROWID;

-- What happened to a submission: fixed words and identifiers, nothing of a patient.
CREATE TABLE submission_event (
    id            INTEGER PRIMARY KEY,
    submission_id INTEGER NOT NULL REFERENCES submission (id),
    at            INTEGER NOT NULL,
    kind          TEXT    NOT NULL CHECK (kind <> ''),
    actor         BLOB    CHECK (length(actor) = 16), -- NULL: the program
    attempt       INTEGER NOT NULL DEFAULT 0,
    reason        TEXT    NOT NULL DEFAULT ''
) STRICT;

CREATE INDEX submission_event_by_submission ON submission_event (submission_id);

-- +goose StatementBegin
CREATE TRIGGER submission_no_update BEFORE UPDATE ON submission BEGIN
    SELECT RAISE(ABORT, 'submission is append-only');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER submission_no_delete BEFORE DELETE ON submission BEGIN
    SELECT RAISE(ABORT, 'submission is append-only');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER submission_procedure_no_update BEFORE UPDATE ON submission_procedure BEGIN
    SELECT RAISE(ABORT, 'submission_procedure is append-only');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER submission_procedure_no_delete BEFORE DELETE ON submission_procedure BEGIN
    SELECT RAISE(ABORT, 'submission_procedure is append-only');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER submission_attachment_no_update BEFORE UPDATE ON submission_attachment BEGIN
    SELECT RAISE(ABORT, 'submission_attachment is append-only');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER submission_attachment_no_delete BEFORE DELETE ON submission_attachment BEGIN
    SELECT RAISE(ABORT, 'submission_attachment is append-only');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER attempt_no_update BEFORE UPDATE ON attempt BEGIN
    SELECT RAISE(ABORT, 'attempt is append-only');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER attempt_no_delete BEFORE DELETE ON attempt BEGIN
    SELECT RAISE(ABORT, 'attempt is append-only');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER exchange_no_update BEFORE UPDATE ON exchange BEGIN
    SELECT RAISE(ABORT, 'exchange is append-only');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER exchange_no_delete BEFORE DELETE ON exchange BEGIN
    SELECT RAISE(ABORT, 'exchange is append-only');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER answer_no_update BEFORE UPDATE ON answer BEGIN
    SELECT RAISE(ABORT, 'answer is append-only');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER answer_no_delete BEFORE DELETE ON answer BEGIN
    SELECT RAISE(ABORT, 'answer is append-only');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER authorization_no_update BEFORE UPDATE ON authorization BEGIN
    SELECT RAISE(ABORT, 'authorization is append-only');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER authorization_no_delete BEFORE DELETE ON authorization BEGIN
    SELECT RAISE(ABORT, 'authorization is append-only');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER authorization_procedure_no_update BEFORE UPDATE ON authorization_procedure BEGIN
    SELECT RAISE(ABORT, 'authorization_procedure is append-only');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER authorization_procedure_no_delete BEFORE DELETE ON authorization_procedure BEGIN
    SELECT RAISE(ABORT, 'authorization_procedure is append-only');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER answer_error_no_update BEFORE UPDATE ON answer_error BEGIN
    SELECT RAISE(ABORT, 'answer_error is append-only');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER answer_error_no_delete BEFORE DELETE ON answer_error BEGIN
    SELECT RAISE(ABORT, 'answer_error is append-only');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER submission_event_no_update BEFORE UPDATE ON submission_event BEGIN
    SELECT RAISE(ABORT, 'submission_event is append-only');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER submission_event_no_delete BEFORE DELETE ON submission_event BEGIN
    SELECT RAISE(ABORT, 'submission_event is append-only');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER submission_state_no_delete BEFORE DELETE ON submission_state BEGIN
    SELECT RAISE(ABORT, 'submission_state is kept');
END;
-- +goose StatementEnd
