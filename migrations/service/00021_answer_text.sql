-- +goose Up

-- An answer with one guide at most, without that guide: what goes over the wire is put together of both, byte for byte as it was
-- the first time. decision.answer is then 'text' and names no blob. Answers from before, and those with more guides, are blobs.
CREATE TABLE answer_text (
    decision_id INTEGER PRIMARY KEY REFERENCES decision (id),
    text        TEXT    NOT NULL,
    guide_at    INTEGER NOT NULL CHECK (guide_at >= 0),      -- bytes of text before the guide, in base64; it is that of the authorization that has one
    digest      BLOB    NOT NULL CHECK (length(digest) = 32), -- SHA-256 of the whole answer
    checksum    BLOB    CHECK (length(checksum) = 8)
) STRICT;

-- +goose StatementBegin
CREATE TRIGGER answer_text_fixed BEFORE UPDATE ON answer_text
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never changed');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER answer_text_kept BEFORE DELETE ON answer_text
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never shortened');
END;
-- +goose StatementEnd

-- Programs before this one look for a file.
UPDATE schema_floor SET oldest = 21;
