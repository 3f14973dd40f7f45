-- +goose Up

-- Where the files of an act stand among the attachments of its case, one after the other. Acts from before say it in their reason,
-- as "first count", and have 0 files here.
ALTER TABLE act ADD COLUMN file_first INTEGER NOT NULL DEFAULT 0 CHECK (file_first >= 0);
ALTER TABLE act ADD COLUMN file_count INTEGER NOT NULL DEFAULT 0 CHECK (file_count >= 0);

-- A program before this one sees no files in such an act, and takes its row for damaged.
UPDATE schema_floor SET oldest = 48;
