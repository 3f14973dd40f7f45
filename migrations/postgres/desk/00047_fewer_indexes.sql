-- +goose Up

-- Nothing but what puts cases from before into the queue asked when a case changed.
DROP INDEX case_summary_changed;

-- Most entries tell of these events (auditlog.List): whoever reads backwards finds them soon without an index.
DROP INDEX audit_entry_event;
CREATE INDEX audit_entry_event ON audit_entry (event, id) WHERE event NOT IN ('pedido.enviado', 'caso.visto');

-- Programs before this one name an index that is gone.
UPDATE schema_floor SET oldest = 47;
