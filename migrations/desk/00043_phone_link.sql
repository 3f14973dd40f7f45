-- +goose Up

-- By which a phone, without a login, sends files to one draft: a code that is good once, and then the secret of the phone that
-- used it. Neither is kept, only their SHA-256. A row goes with its draft, when somebody ends it, and some time after its end.
CREATE TABLE phone_link (
    id         INTEGER PRIMARY KEY,
    draft      BLOB    NOT NULL UNIQUE CHECK (length(draft) = 16), -- draft.uid, which the first file may still open
    owner      BLOB    NOT NULL CHECK (length(owner) = 16),        -- person.uid
    session    BLOB    NOT NULL CHECK (length(session) = 16),      -- session.uid, with which the link ends
    unit       TEXT    NOT NULL,                                   -- the name that the phone shows
    code_hash  BLOB    NOT NULL UNIQUE CHECK (length(code_hash) = 32),
    phone_hash BLOB    UNIQUE CHECK (length(phone_hash) = 32),     -- NULL until the code was used
    expires_at INTEGER NOT NULL,
    files      INTEGER NOT NULL DEFAULT 0 CHECK (files >= 0)       -- that came
) STRICT;

-- Programs before this one do not end a link with its draft; no phone reaches it through them.
UPDATE schema_floor SET oldest = 42;
