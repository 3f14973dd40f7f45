-- +goose Up

-- Entries of the audit trail that are committed and have no place in the chain yet. They are there where several processes
-- write: one of them at a time links what all have committed, within a second, and deletes it here.
CREATE TABLE audit_unlinked (
    id             INTEGER PRIMARY KEY,
    at             INTEGER NOT NULL,                           -- at to address_digest: as in audit_entry
    actor          BLOB    CHECK (length(actor) = 16),
    event          TEXT    NOT NULL CHECK (event <> ''),
    object         TEXT    NOT NULL,
    object_id      BLOB    CHECK (length(object_id) = 16),
    detail         TEXT    NOT NULL,
    address_digest BLOB    CHECK (length(address_digest) = 32),
    address        TEXT    CHECK (address <> ''),              -- address and salt: as in audit_address, NULL without one
    salt           BLOB    CHECK (length(salt) = 32),
    since          INTEGER,                                    -- left out if the same was written since then; NULL: never left out
    seal           BLOB    NOT NULL CHECK (length(seal) = 32)  -- of the columns above but id, with the key of the chain
) STRICT;

-- +goose StatementBegin
CREATE TRIGGER audit_unlinked_no_update BEFORE UPDATE ON audit_unlinked
BEGIN
    SELECT RAISE(ABORT, 'audit entries are never changed');
END;
-- +goose StatementEnd

-- The row that a process holds while it links.
CREATE TABLE audit_lease (id INTEGER PRIMARY KEY CHECK (id = 1)) STRICT;
INSERT INTO audit_lease (id) VALUES (1);

-- Programs before this one link what they write at once; what waits here is linked by the others.
UPDATE schema_floor SET oldest = 50;
