-- +goose Up

-- What a person recorded of a submission whose outcome was unknown, after asking the operator: its reply, which is an
-- answer like any other (its attempt is 0), or that the request never arrived and was sent again as another submission.
CREATE TABLE decision (
    id            INTEGER PRIMARY KEY,
    submission_id INTEGER NOT NULL REFERENCES submission (id),
    at            INTEGER NOT NULL,
    actor         BLOB    NOT NULL CHECK (length(actor) = 16),
    contact       TEXT    NOT NULL, -- who said so at the operator, or where it was read
    call_protocol TEXT    NOT NULL,
    note          TEXT    NOT NULL,
    answer_id     INTEGER UNIQUE REFERENCES answer (id),     -- the reply
    resent_id     INTEGER UNIQUE REFERENCES submission (id), -- the new submission
    CHECK ((answer_id IS NULL) <> (resent_id IS NULL))
) STRICT;

CREATE INDEX decision_by_submission ON decision (submission_id);
CREATE UNIQUE INDEX decision_resends_once ON decision (submission_id) WHERE resent_id IS NOT NULL;

-- +goose StatementBegin
CREATE TRIGGER decision_no_update BEFORE UPDATE ON decision BEGIN
    SELECT RAISE(ABORT, 'decision is append-only');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER decision_no_delete BEFORE DELETE ON decision BEGIN
    SELECT RAISE(ABORT, 'decision is append-only');
END;
-- +goose StatementEnd
