-- +goose Up
-- The register: what the desk knows in advance. An id that goes on the wire
-- (unidadeId, pontoAtendimentoId, profissionalExecutanteId, credencialId) is the
-- authorization service's own, kept in uid. Times are UTC microseconds.

CREATE TABLE care_unit (
    id         INTEGER PRIMARY KEY,
    uid        BLOB    NOT NULL UNIQUE CHECK (length(uid) = 16), -- unidadeId
    name       TEXT    NOT NULL CHECK (name <> ''),
    active     INTEGER NOT NULL CHECK (active IN (0, 1)),
    updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE care_point (
    id         INTEGER PRIMARY KEY,
    uid        BLOB    NOT NULL UNIQUE CHECK (length(uid) = 16), -- pontoAtendimentoId
    unit_id    INTEGER NOT NULL REFERENCES care_unit (id) ON DELETE RESTRICT,
    name       TEXT    NOT NULL CHECK (name <> ''),
    active     INTEGER NOT NULL CHECK (active IN (0, 1)),
    updated_at INTEGER NOT NULL
) STRICT;

CREATE INDEX care_point_by_unit ON care_point (unit_id);

CREATE TABLE professional (
    id             INTEGER PRIMARY KEY,
    uid            BLOB    NOT NULL UNIQUE CHECK (length(uid) = 16), -- profissionalExecutanteId
    name           TEXT    NOT NULL CHECK (name <> ''),
    council        TEXT    NOT NULL, -- ANS table 26 by abbreviation: CRM
    council_number TEXT    NOT NULL,
    state          TEXT    NOT NULL, -- ANS table 59 by abbreviation: SP
    active         INTEGER NOT NULL CHECK (active IN (0, 1)),
    updated_at     INTEGER NOT NULL
) STRICT;

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

CREATE VIRTUAL TABLE procedure_text USING fts5 (
    name, aliases,
    content = 'procedure', content_rowid = 'id',
    tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);

-- +goose StatementBegin
CREATE TRIGGER procedure_text_insert AFTER INSERT ON procedure BEGIN
    INSERT INTO procedure_text (rowid, name, aliases) VALUES (NEW.id, NEW.name, NEW.aliases);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER procedure_text_delete AFTER DELETE ON procedure BEGIN
    INSERT INTO procedure_text (procedure_text, rowid, name, aliases) VALUES ('delete', OLD.id, OLD.name, OLD.aliases);
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER procedure_text_update AFTER UPDATE OF name, aliases ON procedure BEGIN
    INSERT INTO procedure_text (procedure_text, rowid, name, aliases) VALUES ('delete', OLD.id, OLD.name, OLD.aliases);
    INSERT INTO procedure_text (rowid, name, aliases) VALUES (NEW.id, NEW.name, NEW.aliases);
END;
-- +goose StatementEnd

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
