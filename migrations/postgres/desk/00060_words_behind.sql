-- +goose Up

-- On SQLite the words of a case that comes are written behind the request that brought it. Here they are written with it, as before.
UPDATE schema_floor SET oldest = 59;
