-- +goose Up

-- The words of the index over the history, which it has anyhow: nothing is stored for them.
CREATE VIRTUAL TABLE history_word USING fts5vocab ('history_text', 'instance');
