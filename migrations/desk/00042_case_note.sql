-- +goose Up

-- What a person wrote with an event of a submission: a note, whom they asked to look at a denial again, why nothing more is done.
-- Who wrote it, and when, says the event. It is health data like the request: shown on the case alone, searched by nothing.
CREATE TABLE case_note (
    id            INTEGER PRIMARY KEY,
    submission_id INTEGER NOT NULL REFERENCES submission (id),
    event_id      INTEGER NOT NULL UNIQUE REFERENCES submission_event (id),
    contact       TEXT    NOT NULL, -- whom they spoke to at the operator
    call_protocol TEXT    NOT NULL,
    note          TEXT    NOT NULL CHECK (length(note) <= 1000),
    checksum      BLOB    CHECK (length(checksum) = 8),
    CHECK (contact <> '' OR note <> '')
) STRICT;

CREATE INDEX case_note_by_submission ON case_note (submission_id);

-- +goose StatementBegin
CREATE TRIGGER case_note_no_update BEFORE UPDATE ON case_note WHEN OLD.checksum IS NOT NULL OR NEW.checksum IS NULL BEGIN
    SELECT RAISE(ABORT, 'case_note is append-only');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER case_note_no_delete BEFORE DELETE ON case_note BEGIN
    SELECT RAISE(ABORT, 'case_note is append-only');
END;
-- +goose StatementEnd

-- Whom the provider's people and patients call. The desk's own: no service is asked for it.
ALTER TABLE care_unit ADD COLUMN phone TEXT NOT NULL DEFAULT '';
ALTER TABLE credential ADD COLUMN phone TEXT NOT NULL DEFAULT '';

-- Programs before this one keep a case concluded that somebody put back into the queue.
UPDATE schema_floor SET oldest = 42;
