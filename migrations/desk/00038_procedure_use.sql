-- +goose Up

-- Which requests asked an operator for a procedure: what the latest of them met is told before the next one is sent. The
-- program writes the rows with the request, no trigger; everything else about them is read from the request and its answers.
CREATE TABLE procedure_use (
    credential    INTEGER NOT NULL REFERENCES filter_value (id),
    code          TEXT    NOT NULL,
    submission_id INTEGER NOT NULL REFERENCES submission (id),
    PRIMARY KEY (credential, code, submission_id)
) STRICT, WITHOUT ROWID;

INSERT OR IGNORE INTO procedure_use (credential, code, submission_id)
SELECT c.credential, p.code, p.submission_id FROM submission_procedure p JOIN case_summary c ON c.submission_id = p.submission_id
ORDER BY 1, 2, 3;
