-- +goose Up

-- Who did what, when. Only identifiers. Each entry's mac covers the entry and the mac before it, with a key outside the database.
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

CREATE INDEX audit_entry_actor ON audit_entry (actor, id);
CREATE INDEX audit_entry_event ON audit_entry (event, id);
CREATE INDEX audit_entry_at ON audit_entry (at);

-- +goose StatementBegin
CREATE TRIGGER audit_entry_no_update BEFORE UPDATE ON audit_entry
BEGIN
    SELECT RAISE(ABORT, 'audit entries are never changed');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER audit_entry_no_delete BEFORE DELETE ON audit_entry
BEGIN
    SELECT RAISE(ABORT, 'audit entries are never deleted');
END;
-- +goose StatementEnd
