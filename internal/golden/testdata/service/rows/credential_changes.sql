INSERT INTO credential_changes (id, count) VALUES
(1, 13);
