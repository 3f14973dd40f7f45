package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net/netip"
	"os"
	"strings"
	"time"

	"guiche/internal/app"
)

// settings are the flags of a sub-command. A flag "some-name" can also be set by the
// variable GUICHE_SOME_NAME, and a secret by a file that GUICHE_SOME_NAME_FILE names.
// A flag wins over its variable.
type settings struct {
	flags   *flag.FlagSet
	secrets map[string]bool
	lookup  func(string) (string, bool)
	out     io.Writer
	err     io.Writer
	paths   bool     // arguments that are no flags are the command's to read
	calls   []string // how the command is called, where that is not with flags alone
}

// newSettings returns the settings of a sub-command, without flags yet. A wrong flag
// does not exit the process, because the exit code is run's.
func newSettings(name string, env environment) *settings {
	flags := flag.NewFlagSet("guiche "+name, flag.ContinueOnError)
	flags.SetOutput(env.err)
	flags.Usage = func() {} // parse knows whether it was asked for
	return &settings{flags: flags, secrets: map[string]bool{}, lookup: env.lookup, out: env.out, err: env.err}
}

// usage lists the flags. They come by name, so that the text of none may lean on the one before it.
func (s *settings) usage(w io.Writer) {
	fmt.Fprintln(w, s.title())
	s.flags.SetOutput(w)
	s.flags.PrintDefaults()
}

// title says how the command is called.
func (s *settings) title() string {
	if len(s.calls) == 0 {
		return "Usage of " + s.flags.Name() + ":"
	}
	return "Usage: " + strings.Join(s.calls, "\n       ")
}

// secret declares a text flag that can be read from a file.
func (s *settings) secret(p *string, name, usage string) {
	s.flags.StringVar(p, name, "", usage)
	s.secrets[name] = true
}

const keysUsage = "folder of the keys, or the file of each: audit=FILE,browser=FILE,seal=FILE; without it keys in the data folder"

// data declares where an installation lies.
func (s *settings) data(c *app.Config) {
	s.flags.StringVar(&c.DataDir, "data", "guiche-data", "folder that keeps everything")
	s.flags.StringVar(&c.Keys, "keys", "", keysUsage)
	declareDatabase(s, &c.Database)
}

// location declares a flag for a time zone.
func (s *settings) location(p **time.Location, name, value, usage string) {
	*p, _ = time.LoadLocation(value)
	s.flags.Func(name, usage+" (default "+value+")", func(text string) (err error) {
		*p, err = time.LoadLocation(text)
		return err
	})
}

// list declares a flag that may be given several times; its variable holds several with
// commas.
func (s *settings) list(p *[]string, name, usage string) {
	s.flags.Func(name, usage, func(text string) error {
		*p = append(*p, splitList(text)...)
		return nil
	})
}

// prefixes declares a flag for a comma-separated list of addresses and networks.
func (s *settings) prefixes(p *[]netip.Prefix, name, usage string) {
	s.flags.Func(name, usage, func(text string) error {
		*p = nil
		for part := range strings.SplitSeq(text, ",") {
			prefix, err := parsePrefix(strings.TrimSpace(part))
			if err != nil {
				return err
			}
			*p = append(*p, prefix)
		}
		return nil
	})
}

// parsePrefix parses a network; a single address is a network of one.
func parsePrefix(text string) (netip.Prefix, error) {
	if addr, err := netip.ParseAddr(text); err == nil {
		return netip.PrefixFrom(addr, addr.BitLen()), nil
	}
	return netip.ParsePrefix(text)
}

// parse parses the arguments, then the variables of those flags that were not given.
func (s *settings) parse(args []string) error {
	switch err := s.flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		s.usage(s.out)
		return err
	case err != nil:
		s.usage(s.err)
		return errUsage
	}
	if s.flags.NArg() > 0 && !s.paths {
		// nothing behind it was read, so that the rest would silently be the defaults
		fmt.Fprintf(s.err, "%s: %q is no flag; one that is on or off takes its value as in -insecure-http=false\n",
			s.flags.Name(), s.flags.Arg(0))
		return errUsage
	}
	given := map[string]bool{}
	s.flags.Visit(func(f *flag.Flag) { given[f.Name] = true })
	var errs []error
	s.flags.VisitAll(func(f *flag.Flag) {
		if !given[f.Name] {
			errs = append(errs, s.fromVariable(f))
		}
	})
	return errors.Join(errs...)
}

// fromVariable sets a flag from its variable or, for a secret, from its file. An empty
// variable counts as unset. Errors never contain the value of a secret.
func (s *settings) fromVariable(f *flag.Flag) error {
	name := variable(f.Name)
	value, ok := s.lookup(name)
	if s.secrets[f.Name] {
		fromFile, found, err := s.fromFile(name + "_FILE")
		switch {
		case err != nil:
			return err
		case found && ok:
			return fmt.Errorf("%s and %s_FILE are both set: leave one out", name, name)
		case found:
			value, ok = fromFile, true
		}
	}
	if !ok || value == "" {
		return nil
	}
	if err := f.Value.Set(value); err != nil {
		if s.secrets[f.Name] {
			return fmt.Errorf("%s: not a valid value", name)
		}
		return fmt.Errorf("%s: %q: %w", name, value, wanted(f, err))
	}
	return nil
}

// wanted says what a flag takes where its own error says that it could not be read, and no more.
func wanted(f *flag.Flag, err error) error {
	getter, _ := f.Value.(flag.Getter)
	if getter == nil {
		return err
	}
	switch getter.Get().(type) {
	case time.Duration:
		return errors.New("want a time with its unit, such as 30s, 5m or 12h")
	case bool:
		return errors.New("want true or false")
	case int:
		return errors.New("want a whole number")
	}
	return err
}

// fromFile reads a secret from the file that a variable names, and reports whether
// there is one. Trailing line ends are cut, because editors add them.
func (s *settings) fromFile(name string) (string, bool, error) {
	path, ok := s.lookup(name)
	if !ok || path == "" {
		return "", false, nil
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return "", false, fmt.Errorf("%s: %w", name, err)
	}
	secret := strings.TrimRight(string(content), "\r\n")
	if secret == "" { // as if it were not set, rows would go to another place than the one that was meant
		return "", false, fmt.Errorf("%s: %s is empty", name, path)
	}
	return secret, true, nil
}

// variable returns the name of a flag's environment variable.
func variable(flagName string) string {
	return "GUICHE_" + strings.ToUpper(strings.ReplaceAll(flagName, "-", "_"))
}
