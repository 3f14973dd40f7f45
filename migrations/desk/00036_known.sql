-- +goose Up

-- Beneficiaries and requesters of requests that were sent: which request tells of each last, and the words by which it is
-- found. Everything else about them is read from that request. The program writes the rows with the request, no trigger.
CREATE TABLE known (
    id            INTEGER PRIMARY KEY,
    kind          TEXT    NOT NULL CHECK (kind IN ('beneficiary', 'requester')),
    place         TEXT    NOT NULL, -- of a beneficiary the unit that asked, whose cases decide who may see it; else "anywhere"
    key           TEXT    NOT NULL, -- credential and card, or council, number and state
    submission_id INTEGER NOT NULL REFERENCES submission (id),
    words         TEXT    NOT NULL,
    UNIQUE (kind, place, key)
) STRICT;
CREATE INDEX known_submission ON known (submission_id);

CREATE VIRTUAL TABLE known_text USING fts5 (
    words, place, content = 'known', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2', detail = column, prefix = '2 3 4'
);

-- Requests from before are read beside the first requests, as far as this.
CREATE TABLE known_pending (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    through INTEGER NOT NULL -- submission.id
) STRICT;
INSERT INTO known_pending (id, through) SELECT 1, 0 WHERE EXISTS (SELECT 1 FROM submission);
