-- +goose Up

-- What else is set about the service that the desk speaks to. A row that was saved
-- before gets what was in force then.
ALTER TABLE connection ADD COLUMN refresh_path     TEXT    NOT NULL DEFAULT '/api/v1/auth/refresh' CHECK (length(refresh_path) <= 200); -- '' renews no token
ALTER TABLE connection ADD COLUMN token_path       TEXT    NOT NULL DEFAULT '/oauth/token' CHECK (length(token_path) <= 200);
ALTER TABLE connection ADD COLUMN scope            TEXT    NOT NULL DEFAULT '' CHECK (length(scope) <= 200); -- '' asks for all that the client has
ALTER TABLE connection ADD COLUMN client_basic     INTEGER NOT NULL DEFAULT 0 CHECK (client_basic IN (0, 1)); -- 1: HTTP Basic, 0: in the form
ALTER TABLE connection ADD COLUMN units_path       TEXT    NOT NULL DEFAULT '/api/v2/unidades' CHECK (length(units_path) <= 200); -- '' has none
ALTER TABLE connection ADD COLUMN executants_path  TEXT    NOT NULL DEFAULT '/api/v2/profissionais-executantes' CHECK (length(executants_path) <= 200);
ALTER TABLE connection ADD COLUMN eligibility      TEXT    NOT NULL DEFAULT 'recursos' CHECK (eligibility IN ('recursos', 'sempre', 'nunca'));
ALTER TABLE connection ADD COLUMN eligibility_path TEXT    NOT NULL DEFAULT '/api/v1/elegibilidade' CHECK (length(eligibility_path) <= 200);
ALTER TABLE connection ADD COLUMN upload_files     INTEGER NOT NULL DEFAULT 10 CHECK (upload_files > 0);
ALTER TABLE connection ADD COLUMN upload_file      INTEGER NOT NULL DEFAULT 15728640 CHECK (upload_file > 0);   -- bytes
ALTER TABLE connection ADD COLUMN upload_total     INTEGER NOT NULL DEFAULT 62914560 CHECK (upload_total > 0); -- bytes

-- Where an entry of the register comes from: 0 from here alone, 1 the service listed
-- it when it was last asked, 2 the service listed it once and no longer does.
ALTER TABLE care_unit    ADD COLUMN standing INTEGER NOT NULL DEFAULT 0 CHECK (standing IN (0, 1, 2));
ALTER TABLE care_point   ADD COLUMN standing INTEGER NOT NULL DEFAULT 0 CHECK (standing IN (0, 1, 2));
ALTER TABLE professional ADD COLUMN standing INTEGER NOT NULL DEFAULT 0 CHECK (standing IN (0, 1, 2));
