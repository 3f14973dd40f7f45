-- +goose Up

-- What a copy is to the case it was made from: a correction takes its place, a repetition leaves it as it stands.
-- '' without such a case.
ALTER TABLE draft ADD COLUMN copy_kind TEXT NOT NULL DEFAULT '' CHECK (copy_kind IN ('', 'correcao', 'repeticao'));
ALTER TABLE submission ADD COLUMN copy_kind TEXT NOT NULL DEFAULT '' CHECK (copy_kind IN ('', 'correcao', 'repeticao'));

-- Authorizations with which somebody may be attended.
ALTER TABLE submission_state ADD COLUMN authorized INTEGER NOT NULL DEFAULT 0 CHECK (authorized >= 0);

UPDATE submission_state SET authorized = (SELECT COUNT(*) FROM authorization z WHERE z.status IN ('A', 'W', 'P')
    AND z.answer_id = (SELECT MAX(a.id) FROM answer a WHERE a.submission_id = submission_state.submission_id))
WHERE state = 'answered';

-- Several authorizations of which one is not settled: that one counts, not the authorized one. 5 is "Pode atender",
-- 6 "Aguardar" (authorization.Group).
UPDATE submission_state SET queue_group = 6,
    status = (SELECT z.status FROM authorization z WHERE z.status IN ('R', 'K', 'X')
        AND z.answer_id = (SELECT MAX(a.id) FROM answer a WHERE a.submission_id = submission_state.submission_id)
        ORDER BY instr('RKX', z.status) LIMIT 1)
WHERE state = 'answered' AND authorizations > 1 AND queue_group = 5
    AND EXISTS (SELECT 1 FROM authorization z WHERE z.status IN ('R', 'K', 'X')
        AND z.answer_id = (SELECT MAX(a.id) FROM answer a WHERE a.submission_id = submission_state.submission_id));

-- Answers without a senha are simulated too when their credential is that of a simulated operator.
UPDATE submission_state SET simulated = 1
WHERE simulated = 0 AND submission_id IN (SELECT s.id FROM submission s WHERE s.credential_uid IN (
    SELECT t.credential_uid FROM submission t JOIN submission_state u ON u.submission_id = t.id WHERE u.simulated = 1));

-- Copies from before: of what could not be attended it was a correction.
UPDATE draft SET copy_kind = CASE WHEN (SELECT st.queue_group FROM submission p JOIN submission_state st ON st.submission_id = p.id
    WHERE p.uid = draft.previous_uid) IN (1, 2, 3) THEN 'correcao' ELSE 'repeticao' END
WHERE previous_uid IS NOT NULL;

DROP TRIGGER submission_no_update;

UPDATE submission SET copy_kind = CASE WHEN (SELECT st.queue_group FROM submission p JOIN submission_state st ON st.submission_id = p.id
    WHERE p.uid = submission.previous_uid) IN (1, 2, 3) THEN 'correcao' ELSE 'repeticao' END
WHERE previous_uid IS NOT NULL;

-- +goose StatementBegin
CREATE TRIGGER submission_no_update BEFORE UPDATE ON submission BEGIN
    SELECT RAISE(ABORT, 'submission is append-only');
END;
-- +goose StatementEnd
