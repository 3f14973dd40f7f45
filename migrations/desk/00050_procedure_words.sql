-- +goose Up

-- Whoever writes a procedure writes the words by which it is found.
DROP TRIGGER procedure_text_insert;
DROP TRIGGER procedure_text_update;
DROP TRIGGER procedure_text_delete;

-- Programs before this one leave them to the triggers.
UPDATE schema_floor SET oldest = 50;
