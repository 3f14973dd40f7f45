-- +goose Up

-- The service that the standings of units, care points and professionals come from:
-- they say nothing about another one. No row: the register was never synchronised.
CREATE TABLE register_source (
  id      INTEGER PRIMARY KEY CHECK (id = 1),
  service TEXT NOT NULL CHECK (service <> '') -- 'embutido', or scheme://host:port
) STRICT;
