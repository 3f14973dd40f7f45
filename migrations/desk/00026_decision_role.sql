-- +goose Up

-- One more role: whoever decides about submissions of unknown outcome in their units.
CREATE TABLE person_role_new (
    person_id INTEGER NOT NULL REFERENCES person (id) ON DELETE CASCADE,
    role      TEXT    NOT NULL CHECK (role IN ('recepcao', 'supervisao', 'decisao', 'administracao')),
    PRIMARY KEY (person_id, role)
) STRICT, WITHOUT ROWID;

INSERT INTO person_role_new (person_id, role) SELECT person_id, role FROM person_role;
DROP TABLE person_role;
ALTER TABLE person_role_new RENAME TO person_role;
