-- +goose Up

-- Which service an attempt was for: what it may have acted on is repeated at no other. '' is an attempt from before.
ALTER TABLE attempt ADD COLUMN service TEXT NOT NULL DEFAULT '';
