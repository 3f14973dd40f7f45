-- +goose Up

-- A file is removed only when no row names it: each column that does is looked up by name.

CREATE INDEX draft_attachment_blob ON draft_attachment (blob);
CREATE INDEX submission_attachment_blob ON submission_attachment (blob);
CREATE INDEX exchange_body ON exchange (body) WHERE body <> '';
CREATE INDEX answer_guide_pdf ON answer (guide_pdf) WHERE guide_pdf <> '';
CREATE INDEX answer_receipt_pdf ON answer (receipt_pdf) WHERE receipt_pdf <> '';
CREATE INDEX authorization_guide_pdf ON authorization (guide_pdf) WHERE guide_pdf <> '';
