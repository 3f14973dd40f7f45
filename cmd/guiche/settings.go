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
)

// settings are the flags of a sub-command. Each flag "some-name" is also the
// variable GUICHE_SOME_NAME, and a secret one can stand in a file named by
// GUICHE_SOME_NAME_FILE. A flag wins over its variable.
type settings struct {
	flags   *flag.FlagSet
	secrets map[string]bool
	lookup  func(string) (string, bool)
	err     io.Writer
}

// newSettings returns the settings of a sub-command, without flags yet. A wrong flag is
// returned as an error and does not end the process: run decides on the exit code.
func newSettings(name string, env environment) *settings {
	flags := flag.NewFlagSet("guiche "+name, flag.ContinueOnError)
	flags.SetOutput(env.err)
	return &settings{flags: flags, secrets: map[string]bool{}, lookup: env.lookup, err: env.err}
}

// secret declares a text flag whose variable has a _FILE variant.
func (s *settings) secret(p *string, name, usage string) {
	s.flags.StringVar(p, name, "", usage)
	s.secrets[name] = true
}

// location declares a time zone.
func (s *settings) location(p **time.Location, name, value, usage string) {
	*p, _ = time.LoadLocation(value)
	s.flags.Func(name, usage+" (default "+value+")", func(text string) (err error) {
		*p, err = time.LoadLocation(text)
		return err
	})
}

// prefixes declares a comma-separated list of addresses and networks.
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

// parsePrefix reads a network, or a single address as a network of one.
func parsePrefix(text string) (netip.Prefix, error) {
	if addr, err := netip.ParseAddr(text); err == nil {
		return netip.PrefixFrom(addr, addr.BitLen()), nil
	}
	return netip.ParsePrefix(text)
}

// parse reads the arguments, then the variables of flags not given.
func (s *settings) parse(args []string) error {
	if err := s.flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return err
		}
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

// fromVariable sets a flag from its variable or, for a secret, from the file. An empty
// variable counts as not set. Errors about a secret do not repeat its value.
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
		return fmt.Errorf("%s: %q: %w", name, value, err)
	}
	return nil
}

// fromFile reads a secret from the file that a variable names, false when it names none.
// Line ends at its end are cut, because editors add them.
func (s *settings) fromFile(name string) (string, bool, error) {
	path, ok := s.lookup(name)
	if !ok || path == "" {
		return "", false, nil
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return "", false, fmt.Errorf("%s: %w", name, err)
	}
	return strings.TrimRight(string(content), "\r\n"), true, nil
}

// variable returns the GUICHE_ variable of a flag.
func variable(flagName string) string {
	return "GUICHE_" + strings.ToUpper(strings.ReplaceAll(flagName, "-", "_"))
}
