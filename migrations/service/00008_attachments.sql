-- +goose Up

-- Procedures whose requests need an attachment, as the operator of a credential wants them.
ALTER TABLE credential ADD COLUMN attachments_for TEXT NOT NULL DEFAULT ''; -- codes separated by spaces; a final * stands for any rest
