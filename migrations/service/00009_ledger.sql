-- +goose Up

-- The ledger also says by which key, user or OAuth client a partner came in, and who answered an act.

ALTER TABLE request ADD COLUMN method TEXT NOT NULL DEFAULT '' CHECK (method IN ('', 'chave', 'senha', 'oauth')); -- '' from before this was noted
ALTER TABLE request ADD COLUMN access_uid BLOB CHECK (length(access_uid) = 16); -- of the key, user or client
ALTER TABLE act ADD COLUMN method TEXT NOT NULL DEFAULT '' CHECK (method IN ('', 'chave', 'senha', 'oauth'));
ALTER TABLE act ADD COLUMN access_uid BLOB CHECK (length(access_uid) = 16);
ALTER TABLE act_result ADD COLUMN actor TEXT NOT NULL DEFAULT ''; -- key of the operator's connector

-- What a request or an act carried is part of the ledger too.

-- +goose StatementBegin
CREATE TRIGGER request_blob_fixed BEFORE UPDATE ON request_blob
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never changed');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER request_blob_kept BEFORE DELETE ON request_blob
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never shortened');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER act_blob_fixed BEFORE UPDATE ON act_blob
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never changed');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER act_blob_kept BEFORE DELETE ON act_blob
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never shortened');
END;
-- +goose StatementEnd

-- The life of row 19 is the same for whoever writes.

-- +goose StatementBegin
CREATE TRIGGER authorization_status_follows BEFORE INSERT ON authorization_status
WHEN NEW.before <> coalesce((SELECT after FROM authorization_status WHERE entry_id = NEW.entry_id ORDER BY id DESC LIMIT 1), '')
    OR NEW.before <> '' AND NOT EXISTS (SELECT 1 FROM status_transition WHERE before = NEW.before AND after = NEW.after)
BEGIN
    SELECT RAISE(ABORT, 'this status does not follow that one');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER authorization_status_stands BEFORE INSERT ON authorization_status
WHEN NEW.after <> (SELECT status FROM authorization_entry WHERE id = NEW.entry_id)
BEGIN
    SELECT RAISE(ABORT, 'an authorization stands where its history ends');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER status_transition_fixed BEFORE UPDATE ON status_transition
BEGIN
    SELECT RAISE(ABORT, 'the life of an authorization is never changed');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER status_transition_kept BEFORE DELETE ON status_transition
BEGIN
    SELECT RAISE(ABORT, 'the life of an authorization is never changed');
END;
-- +goose StatementEnd
