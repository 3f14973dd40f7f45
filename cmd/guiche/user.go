package main

import (
	"context"
	"fmt"
	"strings"

	"guiche/internal/app"
)

// userCommands returns the commands of "guiche user", in the order of its usage text.
func userCommands() []command {
	return []command{
		{"add", "create a person and print the one-time link", addUser},
		{"disable", "put a person out at once and keep them out", disableUser},
		{"reset", "take a person's password away and print the one-time link", resetUser},
	}
}

// user is "guiche user …". It can run while a server uses the same data folder.
func user(ctx context.Context, env environment) error {
	return runOneOf(ctx, env, "user", userCommands())
}

// personSettings are the flags that the user commands share.
type personSettings struct {
	*settings
	config app.Config
	login  string
	base   string
}

// newPersonSettings declares the data folder and the login.
func newPersonSettings(name string, env environment) *personSettings {
	s := &personSettings{settings: newSettings("user "+name, env), config: app.Config{Version: version}}
	s.data(&s.config)
	s.flags.StringVar(&s.login, "login", "", "name to log in with")
	return s
}

// defaultBase is where a server answers to whom nobody gave another address.
const defaultBase = "http://" + defaultAddr

// link declares the address that a printed link begins with.
func (s *personSettings) link() {
	s.flags.StringVar(&s.base, "public-url", defaultBase, "address to print in the link")
}

// parse also requires a login.
func (s *personSettings) parse(args []string) error {
	if err := s.settings.parse(args); err != nil {
		return err
	}
	if s.login == "" {
		fmt.Fprintln(s.err, "guiche user: -login is missing")
		return errUsage
	}
	return nil
}

// print prints a one-time link.
func (s *personSettings) print(env environment, path string) error {
	_, err := fmt.Fprintf(env.out, "Entregue este endereço à pessoa; vale uma vez, por 24 horas:\n  %s%s\n",
		strings.TrimRight(s.base, "/"), path)
	if err == nil && s.base == defaultBase { // nobody said where the server answers
		_, err = fmt.Fprintf(env.out, "Se o Guichê atende noutro endereço, ponha-o no lugar de %s, ou use -public-url.\n", s.base)
	}
	return err
}

// addUser is "guiche user add". It prints a one-time link instead of taking a password,
// which would stay in the history of the shell.
func addUser(ctx context.Context, env environment) error {
	var p app.NewPerson
	var role, unit string
	s := newPersonSettings("add", env)
	s.link()
	s.flags.StringVar(&p.Name, "name", "", "name that is shown")
	s.flags.StringVar(&role, "role", "recepcao", "recepcao, supervisao, decisao, administracao; several with commas")
	s.flags.StringVar(&unit, "unit", "", "units the person works in, by name; several with commas")
	s.flags.BoolVar(&p.Begin, "new", false, "begin a new installation with them where there is none")
	if err := s.parse(env.args); err != nil {
		return err
	}
	p.Login, p.Roles, p.Units = s.login, splitList(role), splitList(unit)
	path, err := app.AddPerson(ctx, s.config, p)
	if err != nil {
		return err
	}
	return s.print(env, path)
}

// disableUser is "guiche user disable". It ends the person's sessions at once.
func disableUser(ctx context.Context, env environment) error {
	s := newPersonSettings("disable", env)
	if err := s.parse(env.args); err != nil {
		return err
	}
	if err := app.DisablePerson(ctx, s.config, s.login); err != nil {
		return err
	}
	_, err := fmt.Fprintln(env.out, "A pessoa está desativada e já está fora.")
	return err
}

// resetUser is "guiche user reset". The old password stops working, and the printed
// link sets a new one.
func resetUser(ctx context.Context, env environment) error {
	s := newPersonSettings("reset", env)
	s.link()
	if err := s.parse(env.args); err != nil {
		return err
	}
	path, err := app.ResetPerson(ctx, s.config, s.login)
	if err != nil {
		return err
	}
	return s.print(env, path)
}

// splitList splits at commas, without the spaces that people write behind them, and drops empty parts.
func splitList(text string) (parts []string) {
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}
