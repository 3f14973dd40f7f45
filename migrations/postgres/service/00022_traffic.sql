-- +goose Up

-- What processes on one database were asked: each adds what it counted about once a second.
CREATE TABLE traffic (
    route  text COLLATE "C" NOT NULL,                     -- as in the specification
    status bigint           NOT NULL,                     -- zero: cut
    count  bigint           NOT NULL CHECK (count >= 0),
    PRIMARY KEY (route, status)
);

CREATE TABLE traffic_process (
    uid     bytea  PRIMARY KEY CHECK (length(uid) = 16),
    since   bigint NOT NULL,                    -- when the first of those began that were never all gone
    open    bigint NOT NULL CHECK (open >= 0),  -- requests that it is answering
    seen_at bigint NOT NULL
);

UPDATE schema_floor SET oldest = 21;
