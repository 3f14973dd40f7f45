-- +goose Up

-- What the latest requests for a procedure met stands with them: a case page, which tells of it, read that from sixty pages.
-- The program writes it where a case changes, no trigger.
ALTER TABLE procedure_use ADD COLUMN status text COLLATE "C" NOT NULL DEFAULT ''; -- status and queue_group as in submission_state
ALTER TABLE procedure_use ADD COLUMN queue_group bigint NOT NULL DEFAULT 0;
-- Microseconds from sending to the first answer to an attempt, 0 without one.
ALTER TABLE procedure_use ADD COLUMN answered_after bigint NOT NULL DEFAULT 0;
ALTER TABLE procedure_use ADD COLUMN reason text COLLATE "C" NOT NULL DEFAULT ''; -- the operator's words of a denial

-- 3 is a denial (authorization.Refusal).
UPDATE procedure_use AS u SET status = st.status, queue_group = st.queue_group,
    answered_after = coalesce((SELECT min(a.read_at) FROM answer a WHERE a.submission_id = s.id AND a.attempt > 0) - s.created_at, 0),
    reason = CASE WHEN st.queue_group = 3 THEN coalesce(
        (SELECT r.justification FROM answer a JOIN "authorization" z ON z.answer_id = a.id
            JOIN authorization_procedure r ON r.authorization_id = z.id
            WHERE a.submission_id = s.id AND r.code = u.code AND r.justification <> '' ORDER BY a.id DESC, z.id, r.position LIMIT 1),
        (SELECT e.message FROM answer a JOIN answer_error e ON e.answer_id = a.id
            WHERE a.submission_id = s.id ORDER BY a.id DESC, e.place, e.position LIMIT 1), '') ELSE '' END
FROM submission s JOIN submission_state st ON st.submission_id = s.id WHERE s.id = u.submission_id;

-- Nothing but that asked the index when answers came.
DROP INDEX answer_by_submission;
CREATE INDEX answer_by_submission ON answer (submission_id);

-- Programs before this one read it elsewhere; what they leave is made again.
UPDATE schema_floor SET oldest = 50;
