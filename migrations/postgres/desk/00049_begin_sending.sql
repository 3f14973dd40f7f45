-- +goose Up

-- A submission whose first attempt begins with it is written as that at once.
DROP TRIGGER submission_state_begins ON submission_state;
CREATE TRIGGER submission_state_begins BEFORE INSERT ON submission_state FOR EACH ROW
    WHEN (NOT ((NEW.state = 'queued' AND NEW.attempt = 0) OR (NEW.state = 'sending' AND NEW.attempt = 1)))
    EXECUTE FUNCTION refuse('a submission begins queued, or with its first attempt');

-- Few cases have the same card: they need no order.
DROP INDEX submission_by_card;
CREATE INDEX submission_by_card ON submission (card_number);

-- Programs before this one go on: they write as queued what they begin, and look the same things up.
UPDATE schema_floor SET oldest = 48;
