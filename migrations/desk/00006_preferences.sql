-- +goose Up

-- How a person wants her pages, and when she last logged in; 0 is never.
ALTER TABLE person ADD COLUMN theme TEXT NOT NULL DEFAULT 'sistema' CHECK (theme IN ('sistema', 'claro', 'escuro'));
ALTER TABLE person ADD COLUMN keys_off INTEGER NOT NULL DEFAULT 0 CHECK (keys_off IN (0, 1)); -- 1: function keys are left to the browser
ALTER TABLE person ADD COLUMN last_login_at INTEGER NOT NULL DEFAULT 0;

-- Logins before this migration stand in the trail alone.
UPDATE person SET last_login_at = coalesce((SELECT max(at) FROM audit_entry WHERE actor = person.uid AND event = 'entrada.feita'), 0);

-- What tells one's sessions apart; both go with the session.
ALTER TABLE session ADD COLUMN device TEXT NOT NULL DEFAULT '' CHECK (length(device) <= 64);   -- words for the browser: 'Chrome no Windows'
ALTER TABLE session ADD COLUMN address TEXT NOT NULL DEFAULT '' CHECK (length(address) <= 64); -- where it was opened from
