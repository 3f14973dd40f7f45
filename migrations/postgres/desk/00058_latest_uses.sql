-- +goose Up

-- Nobody asks for more than the latest requests for a procedure: of each credential's the latest sixty stay. The program
-- takes older ones away as new ones come.
DELETE FROM procedure_use WHERE (credential, code, submission_id) IN (SELECT credential, code, submission_id FROM (
    SELECT credential, code, submission_id, row_number() OVER (PARTITION BY credential, code ORDER BY submission_id DESC) AS place
    FROM procedure_use) u WHERE place > 60);

-- To programs before this one what is not there would be missing.
UPDATE schema_floor SET oldest = 58;
