CREATE INDEX activation_person ON activation (person_id);
CREATE INDEX session_person ON session (person_id);
CREATE INDEX session_active ON session (active_at);
CREATE INDEX login_throttle_failed ON login_throttle (failed_at);
CREATE INDEX audit_entry_actor ON audit_entry (actor, id);
CREATE INDEX audit_entry_event ON audit_entry (event, id);
CREATE INDEX audit_entry_at ON audit_entry (at);
CREATE TRIGGER audit_entry_no_update BEFORE UPDATE ON audit_entry
BEGIN
    SELECT RAISE(ABORT, 'audit entries are never changed');
END;
CREATE TRIGGER audit_entry_no_delete BEFORE DELETE ON audit_entry
BEGIN
    SELECT RAISE(ABORT, 'audit entries are never deleted');
END;
CREATE INDEX care_point_by_unit ON care_point (unit_id);
CREATE VIRTUAL TABLE procedure_text USING fts5 (
    name, aliases,
    content = 'procedure', content_rowid = 'id',
    tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);
INSERT INTO procedure_text (procedure_text) VALUES ('rebuild');
CREATE TRIGGER procedure_text_insert AFTER INSERT ON procedure BEGIN
    INSERT INTO procedure_text (rowid, name, aliases) VALUES (NEW.id, NEW.name, NEW.aliases);
END;
CREATE TRIGGER procedure_text_delete AFTER DELETE ON procedure BEGIN
    INSERT INTO procedure_text (procedure_text, rowid, name, aliases) VALUES ('delete', OLD.id, OLD.name, OLD.aliases);
END;
CREATE TRIGGER procedure_text_update AFTER UPDATE OF name, aliases ON procedure BEGIN
    INSERT INTO procedure_text (procedure_text, rowid, name, aliases) VALUES ('delete', OLD.id, OLD.name, OLD.aliases);
    INSERT INTO procedure_text (rowid, name, aliases) VALUES (NEW.id, NEW.name, NEW.aliases);
END;
CREATE INDEX draft_open ON draft (owner, updated_at) WHERE state = 'open';
CREATE INDEX draft_attachment_by_draft ON draft_attachment (draft_id);
CREATE INDEX submission_by_card ON submission (card_number, created_at);
CREATE INDEX submission_by_created ON submission (created_at);
CREATE INDEX submission_by_previous ON submission (previous_uid) WHERE previous_uid IS NOT NULL;
CREATE INDEX submission_state_by_group ON submission_state (queue_group, submission_id, unit_uid, changed_at);
CREATE INDEX submission_state_queued ON submission_state (due_at) WHERE state = 'queued';
CREATE INDEX submission_state_deadline ON submission_state (deadline_at) WHERE state = 'queued';
CREATE INDEX submission_state_sending ON submission_state (lease) WHERE state = 'sending';
CREATE INDEX submission_state_alert ON submission_state (alert) WHERE alert <> '';
CREATE TRIGGER submission_state_begins BEFORE INSERT ON submission_state
WHEN NEW.state <> 'queued' OR NEW.attempt <> 0
BEGIN
    SELECT RAISE(ABORT, 'a submission begins queued');
END;
CREATE TRIGGER submission_state_moves BEFORE UPDATE OF state ON submission_state
WHEN OLD.state <> NEW.state AND NOT (
    (OLD.state = 'queued'  AND NEW.state IN ('sending', 'refused', 'withdrawn')) OR
    (OLD.state = 'sending' AND NEW.state IN ('queued', 'answered', 'refused', 'unknown')) OR
    (OLD.state = 'unknown' AND NEW.state IN ('answered', 'resent')))
BEGIN
    SELECT RAISE(ABORT, 'no such transition');
END;
CREATE TRIGGER submission_state_withdrawn BEFORE UPDATE OF state ON submission_state
WHEN NEW.state = 'withdrawn' AND OLD.doubtful = 1
BEGIN
    SELECT RAISE(ABORT, 'what may have been acted on is not withdrawn');
END;
CREATE INDEX answer_by_submission ON answer (submission_id);
CREATE INDEX submission_event_by_submission ON submission_event (submission_id);
CREATE TRIGGER submission_no_update BEFORE UPDATE ON submission BEGIN
    SELECT RAISE(ABORT, 'submission is append-only');
END;
CREATE TRIGGER submission_no_delete BEFORE DELETE ON submission BEGIN
    SELECT RAISE(ABORT, 'submission is append-only');
END;
CREATE TRIGGER submission_procedure_no_update BEFORE UPDATE ON submission_procedure BEGIN
    SELECT RAISE(ABORT, 'submission_procedure is append-only');
END;
CREATE TRIGGER submission_procedure_no_delete BEFORE DELETE ON submission_procedure BEGIN
    SELECT RAISE(ABORT, 'submission_procedure is append-only');
END;
CREATE TRIGGER submission_attachment_no_update BEFORE UPDATE ON submission_attachment BEGIN
    SELECT RAISE(ABORT, 'submission_attachment is append-only');
END;
CREATE TRIGGER submission_attachment_no_delete BEFORE DELETE ON submission_attachment BEGIN
    SELECT RAISE(ABORT, 'submission_attachment is append-only');
END;
CREATE TRIGGER attempt_no_update BEFORE UPDATE ON attempt BEGIN
    SELECT RAISE(ABORT, 'attempt is append-only');
END;
CREATE TRIGGER attempt_no_delete BEFORE DELETE ON attempt BEGIN
    SELECT RAISE(ABORT, 'attempt is append-only');
END;
CREATE TRIGGER exchange_no_update BEFORE UPDATE ON exchange BEGIN
    SELECT RAISE(ABORT, 'exchange is append-only');
END;
CREATE TRIGGER exchange_no_delete BEFORE DELETE ON exchange BEGIN
    SELECT RAISE(ABORT, 'exchange is append-only');
END;
CREATE TRIGGER answer_no_update BEFORE UPDATE ON answer BEGIN
    SELECT RAISE(ABORT, 'answer is append-only');
END;
CREATE TRIGGER answer_no_delete BEFORE DELETE ON answer BEGIN
    SELECT RAISE(ABORT, 'answer is append-only');
END;
CREATE TRIGGER authorization_no_update BEFORE UPDATE ON authorization BEGIN
    SELECT RAISE(ABORT, 'authorization is append-only');
END;
CREATE TRIGGER authorization_no_delete BEFORE DELETE ON authorization BEGIN
    SELECT RAISE(ABORT, 'authorization is append-only');
END;
CREATE TRIGGER authorization_procedure_no_update BEFORE UPDATE ON authorization_procedure BEGIN
    SELECT RAISE(ABORT, 'authorization_procedure is append-only');
END;
CREATE TRIGGER authorization_procedure_no_delete BEFORE DELETE ON authorization_procedure BEGIN
    SELECT RAISE(ABORT, 'authorization_procedure is append-only');
END;
CREATE TRIGGER answer_error_no_update BEFORE UPDATE ON answer_error BEGIN
    SELECT RAISE(ABORT, 'answer_error is append-only');
END;
CREATE TRIGGER answer_error_no_delete BEFORE DELETE ON answer_error BEGIN
    SELECT RAISE(ABORT, 'answer_error is append-only');
END;
CREATE TRIGGER submission_event_no_update BEFORE UPDATE ON submission_event BEGIN
    SELECT RAISE(ABORT, 'submission_event is append-only');
END;
CREATE TRIGGER submission_event_no_delete BEFORE DELETE ON submission_event BEGIN
    SELECT RAISE(ABORT, 'submission_event is append-only');
END;
CREATE TRIGGER submission_state_no_delete BEFORE DELETE ON submission_state BEGIN
    SELECT RAISE(ABORT, 'submission_state is kept');
END;
CREATE INDEX history_by_unit ON history (unit_uid);
CREATE INDEX history_by_credential ON history (credential_uid);
CREATE INDEX history_by_sender ON history (sender);
CREATE INDEX history_by_group ON history (queue_group);
CREATE INDEX history_by_status ON history (status);
CREATE VIRTUAL TABLE history_text USING fts5 (
    names, numbers, procedures,
    content = 'history', content_rowid = 'submission_id', columnsize = 0,
    tokenize = 'unicode61 remove_diacritics 2', prefix = '1 2 3 4'
);
INSERT INTO history_text (history_text) VALUES ('rebuild');
CREATE VIEW history_words (submission_id, names, numbers, procedures) AS
    SELECT s.id, s.beneficiary_name || ' ' || s.newborn_name,
        (SELECT group_concat(DISTINCT number || ' ' || replace(replace(replace(replace(number, ' ', ''), '-', ''), '.', ''), '/', '')) FROM (
            SELECT s.card_number AS number
            UNION ALL SELECT s.provider_guide
            UNION ALL SELECT v.value FROM answer a JOIN authorization z ON z.answer_id = a.id,
                json_each(json_array(z.password, z.guide_number, z.protocol, z.provider_guide, z.partner_guide, z.request_number)) v
                WHERE a.submission_id = s.id
            UNION ALL SELECT v.value FROM answer a JOIN authorization z ON z.answer_id = a.id
                JOIN authorization_procedure p ON p.authorization_id = z.id, json_each(json_array(p.password, p.protocol)) v
                WHERE a.submission_id = s.id
        ) WHERE number <> ''),
        COALESCE((SELECT group_concat(DISTINCT p.code || ' ' || p.name) FROM submission_procedure p WHERE p.submission_id = s.id), '')
    FROM submission s;
CREATE TRIGGER history_text_insert AFTER INSERT ON history BEGIN
    INSERT INTO history_text (rowid, names, numbers, procedures) VALUES (NEW.submission_id, NEW.names, NEW.numbers, NEW.procedures);
END;
CREATE TRIGGER history_text_delete AFTER DELETE ON history BEGIN
    INSERT INTO history_text (history_text, rowid, names, numbers, procedures)
    VALUES ('delete', OLD.submission_id, OLD.names, OLD.numbers, OLD.procedures);
END;
CREATE TRIGGER history_text_update AFTER UPDATE OF names, numbers, procedures ON history
WHEN (OLD.names, OLD.numbers, OLD.procedures) <> (NEW.names, NEW.numbers, NEW.procedures)
BEGIN
    INSERT INTO history_text (history_text, rowid, names, numbers, procedures)
    VALUES ('delete', OLD.submission_id, OLD.names, OLD.numbers, OLD.procedures);
    INSERT INTO history_text (rowid, names, numbers, procedures) VALUES (NEW.submission_id, NEW.names, NEW.numbers, NEW.procedures);
END;
CREATE TRIGGER history_begins AFTER INSERT ON submission_state BEGIN
    INSERT INTO history (submission_id, created_at, unit_uid, credential_uid, sender, queue_group, status, names, numbers, procedures)
    SELECT s.id, s.created_at, NEW.unit_uid, s.credential_uid, s.sender, NEW.queue_group, NEW.status, w.names, w.numbers, w.procedures
    FROM submission s JOIN history_words w ON w.submission_id = s.id WHERE s.id = NEW.submission_id;
END;
CREATE TRIGGER history_moves AFTER UPDATE OF unit_uid, queue_group, status ON submission_state
WHEN (OLD.unit_uid, OLD.queue_group, OLD.status) <> (NEW.unit_uid, NEW.queue_group, NEW.status)
BEGIN
    UPDATE history SET unit_uid = NEW.unit_uid, queue_group = NEW.queue_group, status = NEW.status
    WHERE submission_id = NEW.submission_id;
END;
CREATE TRIGGER history_asks AFTER INSERT ON submission_procedure BEGIN
    UPDATE history SET procedures = (SELECT w.procedures FROM history_words w WHERE w.submission_id = NEW.submission_id)
    WHERE submission_id = NEW.submission_id;
END;
CREATE TRIGGER history_learns AFTER INSERT ON authorization BEGIN
    UPDATE history SET numbers = (SELECT w.numbers FROM history_words w WHERE w.submission_id = history.submission_id)
    WHERE submission_id = (SELECT a.submission_id FROM answer a WHERE a.id = NEW.answer_id);
END;
CREATE TRIGGER history_learns_more AFTER INSERT ON authorization_procedure
WHEN NEW.password <> '' OR NEW.protocol <> ''
BEGIN
    UPDATE history SET numbers = (SELECT w.numbers FROM history_words w WHERE w.submission_id = history.submission_id)
    WHERE submission_id = (SELECT a.submission_id FROM authorization z JOIN answer a ON a.id = z.answer_id WHERE z.id = NEW.authorization_id);
END;
CREATE INDEX history_filter_by_use ON history_filter (used_at);
