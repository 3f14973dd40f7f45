-- +goose Up

-- Which authorization service the desk speaks to, and how; no row is the embedded
-- one with the defaults.
CREATE TABLE connection (
  id              INTEGER PRIMARY KEY CHECK (id = 1),
  embedded        INTEGER NOT NULL CHECK (embedded IN (0, 1)),
  base_url        TEXT NOT NULL CHECK (length(base_url) <= 300),
  internal_host   TEXT NOT NULL CHECK (length(internal_host) <= 255), -- the one host that may lie in a local network
  method          TEXT NOT NULL CHECK (method IN ('chave', 'senha', 'oauth')),
  service_user    TEXT NOT NULL CHECK (length(service_user) <= 200),
  login_path      TEXT NOT NULL CHECK (length(login_path) <= 200),
  user_field      TEXT NOT NULL CHECK (length(user_field) <= 64),
  password_field  TEXT NOT NULL CHECK (length(password_field) <= 64),
  client_id       TEXT NOT NULL CHECK (length(client_id) <= 200),
  attachments     TEXT NOT NULL CHECK (attachments IN ('object', 'string')),
  connect_s       INTEGER NOT NULL CHECK (connect_s > 0),  -- seconds
  query_s         INTEGER NOT NULL CHECK (query_s > 0),    -- seconds
  answer_s        INTEGER NOT NULL CHECK (answer_s > 0),   -- seconds
  deadline_s      INTEGER NOT NULL CHECK (deadline_s > 0), -- seconds
  by_hand         INTEGER NOT NULL CHECK (by_hand IN (0, 1)), -- 1: features are those listed, not what the service announces
  features        TEXT NOT NULL CHECK (length(features) <= 300), -- words of recursos, separated by spaces
  updated_at      INTEGER NOT NULL
) STRICT;

-- Secrets of the service: AES-256-GCM under a key outside the database. Each is
-- good for the origin it was typed for alone.
CREATE TABLE connection_secret (
  method    TEXT PRIMARY KEY CHECK (method IN ('chave', 'senha', 'oauth')),
  origin    TEXT NOT NULL, -- scheme://host:port
  sealed    BLOB NOT NULL,
  stored_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
