package main

import (
	"context"
	"fmt"

	"guiche/internal/app"
)

// migrate is "guiche migrate". It can run before a new version starts, and on a database server beside the one that is
// up.
func migrate(ctx context.Context, env environment) error {
	c := app.Config{Version: version}
	s := newSettings("migrate", env)
	s.data(&c)
	if err := s.parse(env.args); err != nil {
		return err
	}
	if err := app.Migrate(ctx, c); err != nil {
		return err
	}
	_, err := fmt.Fprintln(env.out, "O esquema do banco de dados é o desta versão.")
	return err
}
