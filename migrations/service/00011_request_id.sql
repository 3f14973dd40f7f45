-- +goose Up

-- The id of the HTTP request, as the logs have it. '' from before this was noted.

ALTER TABLE request ADD COLUMN x_request_id TEXT NOT NULL DEFAULT '' CHECK (length(x_request_id) IN (0, 36));
ALTER TABLE act ADD COLUMN x_request_id TEXT NOT NULL DEFAULT '' CHECK (length(x_request_id) IN (0, 36));
