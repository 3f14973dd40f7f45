package main

import (
	"context"
	"fmt"
	"strings"

	"guiche/internal/app"
)

// user is "guiche user add": it works beside a running server, on the same data.
func user(ctx context.Context, env environment) error {
	if len(env.args) == 0 || env.args[0] != "add" {
		fmt.Fprintln(env.err, "Usage: guiche user add -login NAME -name \"FULL NAME\" -role recepcao[,supervisao] [-unit NAME] [-data DIR]")
		return errUsage
	}
	var (
		c    = app.Config{Version: version}
		p    app.NewPerson
		base string
		role string
		unit string
	)
	s := newSettings("user add", env)
	s.flags.StringVar(&c.DataDir, "data", "guiche-data", "folder that keeps everything")
	s.flags.StringVar(&p.Login, "login", "", "name to log in with")
	s.flags.StringVar(&p.Name, "name", "", "name that is shown")
	s.flags.StringVar(&role, "role", "recepcao", "recepcao, supervisao, administracao; several with commas")
	s.flags.StringVar(&unit, "unit", "", "units the person works in, by name; several with commas")
	s.flags.StringVar(&base, "public-url", "http://"+defaultAddr, "address to print in the link")
	if err := s.parse(env.args[1:]); err != nil {
		return err
	}
	p.Roles, p.Units = splitList(role), splitList(unit)
	path, err := app.AddPerson(ctx, c, p)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(env.out, "Entregue este endereço à pessoa; vale uma vez, por 24 horas:\n  %s%s\n", strings.TrimRight(base, "/"), path)
	return err
}

func splitList(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' })
}
