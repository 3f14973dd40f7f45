-- +goose Up

-- Disabling a partner ends its tokens for good. Those of partners that were disabled before were only held up.
UPDATE token_family SET revoked_at = CAST(strftime('%s', 'now') AS INTEGER) * 1000000, reason = 'console'
WHERE revoked_at = 0 AND profile_id IN (SELECT id FROM profile WHERE disabled = 1);
