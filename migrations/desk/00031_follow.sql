-- +goose Up

-- Open cases are followed: the service is asked how their authorizations stand.
CREATE TABLE follow (
    submission_id INTEGER PRIMARY KEY REFERENCES submission (id),
    due_at        INTEGER NOT NULL,           -- when it is asked next, or until when a process may be asking; 0: not any more
    tries         INTEGER NOT NULL DEFAULT 0, -- questions since the last change
    told_at       INTEGER NOT NULL DEFAULT 0  -- when the service told last
) STRICT;

CREATE INDEX follow_due ON follow (due_at) WHERE due_at > 0;

-- What is open already is asked about from a minute after the last thing that happened here. Statuses after which nothing
-- follows are authorization.StatusInfo.Final.
INSERT INTO follow (submission_id, due_at)
SELECT st.submission_id, (SELECT MAX(changed_at) FROM submission_state) + 60000000 FROM submission_state st
WHERE st.state = 'answered' AND EXISTS (SELECT 1 FROM authorization z WHERE z.status NOT IN ('V', 'I', 'Ç', 'M', 'N', 'E', 'C', '-')
    AND z.answer_id = (SELECT MAX(a.id) FROM answer a WHERE a.submission_id = st.submission_id));

-- Whether a person wrote down what the operator said of it; until now an answer of no attempt was such a one.
ALTER TABLE authorization ADD COLUMN recorded INTEGER NOT NULL DEFAULT 0 CHECK (recorded IN (0, 1));

DROP TRIGGER authorization_no_update;

UPDATE authorization SET recorded = 1, checksum = NULL WHERE answer_id IN (SELECT id FROM answer WHERE attempt = 0);
INSERT OR IGNORE INTO checksum_pending (table_name) VALUES ('authorization');

-- +goose StatementBegin
CREATE TRIGGER authorization_no_update BEFORE UPDATE ON authorization WHEN OLD.checksum IS NOT NULL OR NEW.checksum IS NULL BEGIN
    SELECT RAISE(ABORT, 'authorization is append-only');
END;
-- +goose StatementEnd
