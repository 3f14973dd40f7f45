-- +goose Up

-- The queue is a list of its own: of each case that stands in it where, since when and until when. It is kept in the transaction
-- that changes the case, made from the case (package caselist), and compared with it by `guiche verify` and by the daily check.
-- A case is in it until it was corrected, concluded or unchanged for 30 days; closed ones, whatever closed them, for the day.
CREATE TABLE queue_case (
    submission_id   INTEGER PRIMARY KEY REFERENCES submission (id),
    place           INTEGER NOT NULL UNIQUE, -- group, then what came first, or of those that wait for nobody what came last
    queue_group     INTEGER NOT NULL,        -- where it stands: 0 for an unknown outcome, 7 for what was concluded
    unit            INTEGER NOT NULL REFERENCES filter_value (id),
    since           INTEGER NOT NULL,        -- of the state, or of the conclusion
    created_at      INTEGER NOT NULL,
    patient_present INTEGER NOT NULL CHECK (patient_present IN (0, 1)),
    ends            TEXT    NOT NULL         -- last day of the senha of what is to be attended, else ''
) STRICT;

CREATE INDEX queue_case_unit ON queue_case (unit, place);
CREATE INDEX queue_case_since ON queue_case (queue_group, since);
-- Whose patients wait at the counter for somebody to do something.
CREATE INDEX queue_case_counter ON queue_case (created_at) WHERE patient_present = 1 AND queue_group BETWEEN 1 AND 4;
CREATE INDEX queue_case_ends ON queue_case (ends, submission_id) WHERE ends <> '';

-- How many cases of each unit stand in each group: a sum of few rows, whatever the queue has. Closed ones are counted by the day.
DROP TABLE queue_count;
CREATE TABLE queue_count (
    queue_group INTEGER NOT NULL,
    unit        INTEGER NOT NULL REFERENCES filter_value (id),
    cases       INTEGER NOT NULL CHECK (cases > 0),
    PRIMARY KEY (queue_group, unit)
) STRICT, WITHOUT ROWID;

DROP INDEX case_summary_counter;

-- Cases from before are put into the queue beside the first requests.
CREATE TABLE queue_pending (
    id INTEGER PRIMARY KEY CHECK (id = 1)
) STRICT;
INSERT INTO queue_pending (id) SELECT 1 WHERE EXISTS (SELECT 1 FROM case_summary);

-- Programs before this one count in the counters that are gone.
UPDATE schema_floor SET oldest = 40;
