CREATE INDEX api_key_profile ON api_key (profile_id);
CREATE INDEX care_point_unit ON care_point (unit_id);
CREATE INDEX request_blob_ref ON request_blob (ref);
CREATE INDEX idempotency_key_expires ON idempotency_key (expires_at);
CREATE UNIQUE INDEX decision_answer ON decision (request_id) WHERE failure = '';
CREATE INDEX decision_request ON decision (request_id, id);
CREATE INDEX decision_blob ON decision (answer);
CREATE INDEX authorization_guide ON authorization_entry (guide);
CREATE INDEX authorization_status_of ON authorization_status (entry_id, id);
CREATE TRIGGER authorization_follows_life BEFORE UPDATE OF status ON authorization_entry
WHEN NOT EXISTS (SELECT 1 FROM status_transition WHERE before = OLD.status AND after = NEW.status)
BEGIN
    SELECT RAISE(ABORT, 'this status does not follow that one');
END;
CREATE TRIGGER authorization_fixed BEFORE UPDATE OF uid, request_id, number, guide, document ON authorization_entry
BEGIN
    SELECT RAISE(ABORT, 'what was decided is never changed');
END;
CREATE TRIGGER authorization_kept BEFORE DELETE ON authorization_entry
BEGIN
    SELECT RAISE(ABORT, 'authorizations are never deleted');
END;
CREATE TRIGGER authorization_status_fixed BEFORE UPDATE ON authorization_status
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never changed');
END;
CREATE TRIGGER authorization_status_kept BEFORE DELETE ON authorization_status
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never shortened');
END;
CREATE TRIGGER request_fixed BEFORE UPDATE ON request
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never changed');
END;
CREATE TRIGGER request_kept BEFORE DELETE ON request
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never shortened');
END;
CREATE TRIGGER decision_fixed BEFORE UPDATE ON decision
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never changed');
END;
CREATE TRIGGER decision_kept BEFORE DELETE ON decision
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never shortened');
END;
CREATE INDEX service_user_profile ON service_user (profile_id);
CREATE INDEX oauth_client_profile ON oauth_client (profile_id);
CREATE INDEX token_family_profile ON token_family (profile_id);
CREATE INDEX token_family_user ON token_family (user_id);
CREATE INDEX token_family_client ON token_family (client_id);
CREATE INDEX token_family_ends ON token_family (ends_at);
CREATE INDEX token_family_of ON token (family_id);
CREATE INDEX token_expires ON token (expires_at);
CREATE INDEX throttle_failed ON throttle (failed_at);
CREATE UNIQUE INDEX task_request ON task (request_id) WHERE entry_id IS NULL;
CREATE UNIQUE INDEX task_entry ON task (entry_id) WHERE entry_id IS NOT NULL;
CREATE INDEX task_due ON task (due_at);
CREATE INDEX task_credential ON task (credential_id, due_at);
CREATE INDEX authorization_revision_of ON authorization_revision (entry_id, id);
CREATE INDEX authorization_revision_guide ON authorization_revision (guide);
CREATE INDEX act_entry ON act (entry_id, id);
CREATE INDEX act_blob_ref ON act_blob (ref);
CREATE INDEX act_key_expires ON act_key (expires_at);
CREATE UNIQUE INDEX act_result_answer ON act_result (act_id) WHERE failure = '';
CREATE INDEX act_result_of ON act_result (act_id, id);
CREATE INDEX act_result_blob ON act_result (answer);
CREATE TRIGGER acceptance_fixed BEFORE UPDATE ON acceptance
WHEN OLD.asked_at <> 0 OR NEW.request_id <> OLD.request_id OR NEW.guide_uid <> OLD.guide_uid
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never changed');
END;
CREATE TRIGGER acceptance_kept BEFORE DELETE ON acceptance
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never shortened');
END;
CREATE TRIGGER authorization_revision_fixed BEFORE UPDATE ON authorization_revision
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never changed');
END;
CREATE TRIGGER authorization_revision_kept BEFORE DELETE ON authorization_revision
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never shortened');
END;
CREATE TRIGGER act_fixed BEFORE UPDATE ON act
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never changed');
END;
CREATE TRIGGER act_kept BEFORE DELETE ON act
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never shortened');
END;
CREATE TRIGGER act_result_fixed BEFORE UPDATE ON act_result
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never changed');
END;
CREATE TRIGGER act_result_kept BEFORE DELETE ON act_result
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never shortened');
END;
CREATE INDEX credential_eligibility ON credential (eligibility_uid);
CREATE INDEX request_provider_guide ON request (provider_guide);
CREATE INDEX request_received ON request (received_at);
CREATE INDEX authorization_entry_number ON authorization_entry (json_extract(document, '$.GuideNumber'));
CREATE INDEX authorization_revision_number ON authorization_revision (json_extract(document, '$.GuideNumber'));
CREATE INDEX authorization_entry_status ON authorization_entry (status);
CREATE INDEX credential_sort ON credential (sort_name, id, disabled, searched);
CREATE TRIGGER credential_added AFTER INSERT ON credential
BEGIN
    UPDATE credential_changes SET count = count + 1;
END;
CREATE TRIGGER credential_changed AFTER UPDATE ON credential
BEGIN
    UPDATE credential_changes SET count = count + 1;
END;
CREATE TRIGGER credential_removed AFTER DELETE ON credential
BEGIN
    UPDATE credential_changes SET count = count + 1;
END;
CREATE TRIGGER request_blob_fixed BEFORE UPDATE ON request_blob
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never changed');
END;
CREATE TRIGGER request_blob_kept BEFORE DELETE ON request_blob
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never shortened');
END;
CREATE TRIGGER act_blob_fixed BEFORE UPDATE ON act_blob
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never changed');
END;
CREATE TRIGGER act_blob_kept BEFORE DELETE ON act_blob
BEGIN
    SELECT RAISE(ABORT, 'the ledger is never shortened');
END;
CREATE TRIGGER authorization_status_follows BEFORE INSERT ON authorization_status
WHEN NEW.before <> coalesce((SELECT after FROM authorization_status WHERE entry_id = NEW.entry_id ORDER BY id DESC LIMIT 1), '')
    OR NEW.before <> '' AND NOT EXISTS (SELECT 1 FROM status_transition WHERE before = NEW.before AND after = NEW.after)
BEGIN
    SELECT RAISE(ABORT, 'this status does not follow that one');
END;
CREATE TRIGGER authorization_status_stands BEFORE INSERT ON authorization_status
WHEN NEW.after <> (SELECT status FROM authorization_entry WHERE id = NEW.entry_id)
BEGIN
    SELECT RAISE(ABORT, 'an authorization stands where its history ends');
END;
CREATE TRIGGER status_transition_fixed BEFORE UPDATE ON status_transition
BEGIN
    SELECT RAISE(ABORT, 'the life of an authorization is never changed');
END;
CREATE TRIGGER status_transition_kept BEFORE DELETE ON status_transition
BEGIN
    SELECT RAISE(ABORT, 'the life of an authorization is never changed');
END;
