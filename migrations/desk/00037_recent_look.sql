-- +goose Up

-- The looks of the last hour that the trail tells of once, by what was looked at: entries
-- of audit_entry. Whether a look was told is found here, however many others there were.
CREATE TABLE recent_look (
    entry     INTEGER PRIMARY KEY, -- audit_entry.id
    at        INTEGER NOT NULL,    -- of the entry
    object_id BLOB                 -- of the entry
) STRICT;
CREATE INDEX recent_look_object ON recent_look (object_id);
