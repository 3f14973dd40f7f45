-- +goose Up

-- What administração finds requests by: the numbers that people read out, and the period.
CREATE INDEX request_provider_guide ON request (provider_guide);
CREATE INDEX request_received ON request (received_at);
CREATE INDEX authorization_entry_number ON authorization_entry (json_extract(document, '$.GuideNumber'));
CREATE INDEX authorization_revision_number ON authorization_revision (json_extract(document, '$.GuideNumber'));
CREATE INDEX authorization_entry_status ON authorization_entry (status);
