-- +goose Up

-- Whoever writes a procedure writes the words by which it is found: here nothing else did.
UPDATE schema_floor SET oldest = 50;
