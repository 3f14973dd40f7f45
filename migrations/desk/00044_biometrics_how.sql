-- +goose Up

-- How the biometrics that an operator asks for are collected, as the reception reads it. The desk's own: no service tells it.
ALTER TABLE credential ADD COLUMN biometrics_how TEXT NOT NULL DEFAULT '';

-- Programs before this one leave what it says as it is.
UPDATE schema_floor SET oldest = 42;
