package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// Options say what is measured, and on what.
type Options struct {
	Binary    string // guiche
	Few, Many string // data folders: see package data
	// Rested makes sure that the program has nothing to do beside what is measured on a folder.
	Rested func(ctx context.Context, folder string) error
	Brief  bool // one short round of each: shows that it works, and no figures
	Log    io.Writer

	env []string // of the program, beside this process's own
}

// rounds is how often everything is measured, in alternation with what it is compared with.
func (o Options) rounds() int { return o.unlessBrief(5) }

// asked is how often a page is asked for in one round where its time counts.
func (o Options) asked() int { return o.unlessBrief(30) }

func (o Options) unlessBrief(n int) int {
	if o.Brief {
		return 1
	}
	return n
}

// turn is how long a page, or its bare answer, is asked for in one round where the number
// of answers counts.
func (o Options) turn() time.Duration {
	if o.Brief {
		return 30 * time.Millisecond
	}
	return 350 * time.Millisecond
}

// settling is how long a program may take to do what it does at its start.
func (o Options) settling() time.Duration {
	if o.Brief {
		return 0
	}
	return 6 * time.Second
}

// apiKey is the access to the service that measures submissions.
const apiKey = "bench"

// facts are what package data wrote down about a folder.
type facts struct {
	Cases                     int
	Password                  string
	Supervisor, Receptionist  string
	Units, Operators, Senders map[string]string
	Form                      map[string]string // what the receptionist types
	Words                     []string
	First, Last               time.Time
}

func readFacts(folder string) (f facts, err error) {
	text, err := os.ReadFile(filepath.Join(folder, made))
	if err == nil {
		err = json.Unmarshal(text, &f)
	}
	if err != nil {
		return f, fmt.Errorf("bench: make bench-data first: %w", err)
	}
	return f, nil
}

// copied returns a copy of a data folder that the program may write to. That of before is
// used again: what is read leaves little behind.
func (o Options) copied(ctx context.Context, folder string) (string, error) {
	to := folder + ".work"
	if err := o.copyTo(to, folder); err != nil {
		return "", err
	}
	return to, o.Rested(ctx, to)
}

func (o Options) copyTo(to, folder string) error {
	if stands, err := madeOf(to, folder); stands || err != nil {
		return err
	}
	start := time.Now()
	if err := errors.Join(os.RemoveAll(to), copyFolder(folder, to)); err != nil {
		return err
	}
	_, _ = fmt.Fprintf(o.Log, "copied %s in %s\n", folder, time.Since(start).Round(100*time.Millisecond))
	return nil
}

// made is the file that is written last: what has it is whole.
const made = "bench.json"

// madeOf tells whether a folder was made of what a data folder holds now.
func madeOf(folder, from string) (bool, error) {
	source, err := os.Stat(filepath.Join(from, made))
	if err != nil {
		return false, fmt.Errorf("bench: make bench-data first: %w", err)
	}
	own, err := os.Stat(filepath.Join(folder, made))
	return err == nil && !own.ModTime().Before(source.ModTime()), nil
}

// copyFolder copies a folder, file by file and what says that it is whole last; where the file
// system can, no byte is copied.
func copyFolder(from, to string) error {
	err := filepath.WalkDir(from, func(path string, d os.DirEntry, err error) error {
		name, _ := filepath.Rel(from, path)
		target := filepath.Join(to, name)
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return os.MkdirAll(target, 0o700)
		case name == made:
			return nil
		}
		return copyFile(path, target)
	})
	if err != nil {
		return err
	}
	return copyFile(filepath.Join(from, made), filepath.Join(to, made))
}

func copyFile(from, to string) error {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = source.Close() }() // only read
	target, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(target, source)
	return errors.Join(err, target.Sync(), target.Close()) // on disk: it does not slow down what is measured
}

// bare starts a process that answers whatever it is asked with these bytes.
func (o Options) bare(ctx context.Context, folder string, body []byte) (*process, error) {
	file := filepath.Join(folder, "bare.html")
	if err := os.WriteFile(file, body, 0o600); err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return start(ctx, nil, append([]string{self}, "-bare", file)...)
}
