-- +goose Up

-- Tries to make a backup, newest last; the trail tells of all, here are the latest.
CREATE TABLE backup_run (
    id          INTEGER PRIMARY KEY,
    at          INTEGER NOT NULL,                                  -- when it began
    name        TEXT    NOT NULL,                                  -- of the backup in its folder, '' where none was made
    bytes       INTEGER NOT NULL CHECK (bytes >= 0),
    encrypted   INTEGER NOT NULL CHECK (encrypted IN (0, 1)),
    missing     INTEGER NOT NULL CHECK (missing >= 0),             -- files that the installation itself did not have whole
    failure     TEXT    NOT NULL CHECK (failure IN ('', 'sem_espaco', 'pasta', 'ocupada', 'danificada', 'outra')),
    verified_at INTEGER NOT NULL,                                  -- 0: nobody has checked it
    damage      INTEGER NOT NULL CHECK (damage >= 0),              -- what the check found
    CHECK ((name = '') = (failure <> ''))
) STRICT;
