-- +goose Up

-- A search reads names and codes once and then keeps them in memory, in the order of this index, which alone has all it needs.
DROP INDEX credential_sort;
CREATE INDEX credential_sort ON credential (sort_name, id, disabled, searched);

-- Counts the changes of credentials, so that whoever keeps some of them in memory sees that they are no longer those.
CREATE TABLE credential_changes (
    id    INTEGER PRIMARY KEY CHECK (id = 1),
    count INTEGER NOT NULL
) STRICT;

INSERT INTO credential_changes (id, count) VALUES (1, 0);

-- +goose StatementBegin
CREATE TRIGGER credential_added AFTER INSERT ON credential
BEGIN
    UPDATE credential_changes SET count = count + 1;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER credential_changed AFTER UPDATE ON credential
BEGIN
    UPDATE credential_changes SET count = count + 1;
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER credential_removed AFTER DELETE ON credential
BEGIN
    UPDATE credential_changes SET count = count + 1;
END;
-- +goose StatementEnd
