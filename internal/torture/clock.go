package torture

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"guiche/internal/atomicfile"
)

// year is how wrong a clock is whose battery is empty, or that somebody set by hand.
const year = 365 * 24 * time.Hour

// wrongFor is how long the clock stays as it was set.
const wrongFor = 5 * time.Second

// clock has the clock be wrong. What it makes too late for another attempt people end.
func clock(o *Options) { o.During, o.After, o.Doubts = wrongClock, storedAtWrongTimes, true }

// clockFile is where a program built with the tag torture finds how wrong its clock is.
func clockFile(data string) string { return filepath.Join(filepath.Dir(data), "clock") }

// wrongClock sets the clock forwards and backwards while people work; at last it is right.
func wrongClock(ctx context.Context, o Options, data string) error {
	for _, wrong := range []time.Duration{year, 0, -year, 0, 2 * time.Hour, -2 * time.Hour, year, -year, 0} {
		if err := atomicfile.Write(clockFile(data), []byte(wrong.String()), 0o600); err != nil {
			return fmt.Errorf("torture: set the clock: %w", err)
		}
		fmt.Fprintf(o.Log, "  the clock is wrong by %s\n", wrong)
		if wrong != 0 {
			pause(ctx, wrongFor)
		}
	}
	return nil
}

// storedAtWrongTimes makes sure that the clock was wrong while people sent something.
func storedAtWrongTimes(ctx context.Context, o Options, folder string) error {
	db, err := openDatabase(filepath.Join(folder, "data"))
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }() // nothing is written
	now, far := time.Now(), year-24*time.Hour
	var later, earlier int
	err = db.QueryRowContext(ctx, `SELECT count(*) FILTER (WHERE created_at > ?), count(*) FILTER (WHERE created_at < ?) FROM submission`,
		now.Add(far).UnixMicro(), now.Add(-far).UnixMicro()).Scan(&later, &earlier)
	if err != nil {
		return fmt.Errorf("torture: %w", err)
	}
	if later == 0 || earlier == 0 {
		return fmt.Errorf("torture: %d forms were sent a year ahead and %d a year behind: the program has another clock", later, earlier)
	}
	fmt.Fprintf(o.Log, "  %d forms were sent a year ahead, %d a year behind\n", later, earlier)
	return nil
}
