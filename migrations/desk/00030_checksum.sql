-- +goose Up

-- Checksums of rows that must not change unnoticed. They are computed by the program, over the row's table and all of its
-- other columns, and compared whenever the row is read. NULL: a row from before, which gets its own beside the requests.
ALTER TABLE submission              ADD COLUMN checksum BLOB CHECK (length(checksum) = 8);
ALTER TABLE submission_procedure    ADD COLUMN checksum BLOB CHECK (length(checksum) = 8);
ALTER TABLE submission_attachment   ADD COLUMN checksum BLOB CHECK (length(checksum) = 8);
ALTER TABLE submission_state        ADD COLUMN checksum BLOB CHECK (length(checksum) = 8);
ALTER TABLE attempt                 ADD COLUMN checksum BLOB CHECK (length(checksum) = 8);
ALTER TABLE exchange                ADD COLUMN checksum BLOB CHECK (length(checksum) = 8);
ALTER TABLE answer                  ADD COLUMN checksum BLOB CHECK (length(checksum) = 8);
ALTER TABLE authorization           ADD COLUMN checksum BLOB CHECK (length(checksum) = 8);
ALTER TABLE authorization_procedure ADD COLUMN checksum BLOB CHECK (length(checksum) = 8);
ALTER TABLE answer_error            ADD COLUMN checksum BLOB CHECK (length(checksum) = 8);
ALTER TABLE submission_event        ADD COLUMN checksum BLOB CHECK (length(checksum) = 8);
ALTER TABLE decision                ADD COLUMN checksum BLOB CHECK (length(checksum) = 8);

-- Tables in which rows from before may still be without one; elsewhere a row without one is damaged. A migration that
-- changes rows of a table sets their checksums to NULL and puts the table in here again.
CREATE TABLE checksum_pending (
    table_name TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

INSERT INTO checksum_pending (table_name) VALUES ('submission'), ('submission_procedure'), ('submission_attachment'),
    ('submission_state'), ('attempt'), ('exchange'), ('answer'), ('authorization'), ('authorization_procedure'), ('answer_error'),
    ('submission_event'), ('decision');

-- What is append-only gets its checksum once, and is not changed otherwise.

DROP TRIGGER submission_no_update;
-- +goose StatementBegin
CREATE TRIGGER submission_no_update BEFORE UPDATE ON submission WHEN OLD.checksum IS NOT NULL OR NEW.checksum IS NULL BEGIN
    SELECT RAISE(ABORT, 'submission is append-only');
END;
-- +goose StatementEnd

DROP TRIGGER submission_procedure_no_update;
-- +goose StatementBegin
CREATE TRIGGER submission_procedure_no_update BEFORE UPDATE ON submission_procedure WHEN OLD.checksum IS NOT NULL OR NEW.checksum IS NULL BEGIN
    SELECT RAISE(ABORT, 'submission_procedure is append-only');
END;
-- +goose StatementEnd

DROP TRIGGER submission_attachment_no_update;
-- +goose StatementBegin
CREATE TRIGGER submission_attachment_no_update BEFORE UPDATE ON submission_attachment WHEN OLD.checksum IS NOT NULL OR NEW.checksum IS NULL BEGIN
    SELECT RAISE(ABORT, 'submission_attachment is append-only');
END;
-- +goose StatementEnd

DROP TRIGGER attempt_no_update;
-- +goose StatementBegin
CREATE TRIGGER attempt_no_update BEFORE UPDATE ON attempt WHEN OLD.checksum IS NOT NULL OR NEW.checksum IS NULL BEGIN
    SELECT RAISE(ABORT, 'attempt is append-only');
END;
-- +goose StatementEnd

DROP TRIGGER exchange_no_update;
-- +goose StatementBegin
CREATE TRIGGER exchange_no_update BEFORE UPDATE ON exchange WHEN OLD.checksum IS NOT NULL OR NEW.checksum IS NULL BEGIN
    SELECT RAISE(ABORT, 'exchange is append-only');
END;
-- +goose StatementEnd

DROP TRIGGER answer_no_update;
-- +goose StatementBegin
CREATE TRIGGER answer_no_update BEFORE UPDATE ON answer WHEN OLD.checksum IS NOT NULL OR NEW.checksum IS NULL BEGIN
    SELECT RAISE(ABORT, 'answer is append-only');
END;
-- +goose StatementEnd

DROP TRIGGER authorization_no_update;
-- +goose StatementBegin
CREATE TRIGGER authorization_no_update BEFORE UPDATE ON authorization WHEN OLD.checksum IS NOT NULL OR NEW.checksum IS NULL BEGIN
    SELECT RAISE(ABORT, 'authorization is append-only');
END;
-- +goose StatementEnd

DROP TRIGGER authorization_procedure_no_update;
-- +goose StatementBegin
CREATE TRIGGER authorization_procedure_no_update BEFORE UPDATE ON authorization_procedure WHEN OLD.checksum IS NOT NULL OR NEW.checksum IS NULL BEGIN
    SELECT RAISE(ABORT, 'authorization_procedure is append-only');
END;
-- +goose StatementEnd

DROP TRIGGER answer_error_no_update;
-- +goose StatementBegin
CREATE TRIGGER answer_error_no_update BEFORE UPDATE ON answer_error WHEN OLD.checksum IS NOT NULL OR NEW.checksum IS NULL BEGIN
    SELECT RAISE(ABORT, 'answer_error is append-only');
END;
-- +goose StatementEnd

DROP TRIGGER submission_event_no_update;
-- +goose StatementBegin
CREATE TRIGGER submission_event_no_update BEFORE UPDATE ON submission_event WHEN OLD.checksum IS NOT NULL OR NEW.checksum IS NULL BEGIN
    SELECT RAISE(ABORT, 'submission_event is append-only');
END;
-- +goose StatementEnd

DROP TRIGGER decision_no_update;
-- +goose StatementBegin
CREATE TRIGGER decision_no_update BEFORE UPDATE ON decision WHEN OLD.checksum IS NOT NULL OR NEW.checksum IS NULL BEGIN
    SELECT RAISE(ABORT, 'decision is append-only');
END;
-- +goose StatementEnd
