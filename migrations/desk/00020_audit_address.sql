-- +goose Up

-- SHA-256 of salt and address in audit_address; NULL where nobody's address was known, as in all entries from before this
-- column. It is covered by the entry's mac and stays: without the salt it says nothing.
ALTER TABLE audit_entry ADD COLUMN address_digest BLOB CHECK (length(address_digest) = 32);

-- Where an act came from. Personal data: rows are deleted after a while, once an entry 'auditoria.enderecos_apagados' says so.
CREATE TABLE audit_address (
    entry   INTEGER PRIMARY KEY REFERENCES audit_entry (id),
    address TEXT NOT NULL CHECK (address <> ''),
    salt    BLOB NOT NULL CHECK (length(salt) = 32)
) STRICT;

CREATE INDEX audit_address_address ON audit_address (address, entry);

-- +goose StatementBegin
CREATE TRIGGER audit_address_no_update BEFORE UPDATE ON audit_address
BEGIN
    SELECT RAISE(ABORT, 'addresses are kept or deleted, never changed');
END;
-- +goose StatementEnd
