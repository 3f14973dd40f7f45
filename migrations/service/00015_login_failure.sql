-- +goose Up

-- How often the login of a partner's user failed, by user and hour: what administração sees of an attack. No password,
-- nothing of what was typed as the user, no address.
CREATE TABLE login_failure (
    user_uid  BLOB    NOT NULL CHECK (length(user_uid) = 16),  -- zeroes: no such user
    hour      INTEGER NOT NULL,                                -- its beginning
    tried     INTEGER NOT NULL DEFAULT 0 CHECK (tried >= 0),   -- wrong passwords
    refused   INTEGER NOT NULL DEFAULT 0 CHECK (refused >= 0), -- turned away without looking at the password
    failed_at INTEGER NOT NULL,                                -- the latest
    PRIMARY KEY (user_uid, hour)
) STRICT, WITHOUT ROWID;

CREATE INDEX login_failure_hour ON login_failure (hour);

-- Counts of before were of another kind.
DELETE FROM throttle;
