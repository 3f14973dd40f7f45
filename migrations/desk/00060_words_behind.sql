-- +goose Up

-- The words of a case that comes are written behind the request that brought it, in batches: cases behind the last one that stands in
-- history are pending until then, and a search reads them one by one (package caselist). Programs before this one would not find them.
UPDATE schema_floor SET oldest = 60;
