-- +goose Up

-- Which program may go on with this schema. Every migration from here on says it, in a line of its own:
-- UPDATE schema_floor SET oldest = N. A step that only adds leaves N as it was; one after which an earlier program would fail,
-- or harm what it does not know, sets its own number. A new column of a table with checksums is such a step.
CREATE TABLE schema_floor (
    id     INTEGER PRIMARY KEY CHECK (id = 1),
    oldest INTEGER NOT NULL,          -- the schema that a program must know at least
    older  INTEGER NOT NULL DEFAULT 0 -- the oldest schema known to those that wrote with less than all of this one; 0: nobody did
) STRICT;
INSERT INTO schema_floor (id, oldest) VALUES (1, 39);
