-- +goose Up

-- The id of the browser's request that submitted, which goes on to the service. '' from before this was noted.

ALTER TABLE submission ADD COLUMN x_request_id TEXT NOT NULL DEFAULT '' CHECK (length(x_request_id) IN (0, 36));
