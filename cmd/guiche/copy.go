package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"regexp"
	"strings"

	"guiche/internal/app"
)

// copyInstallation is "guiche copy".
func copyInstallation(ctx context.Context, env environment) error {
	from, to := app.Config{Version: version, Clock: clock}, app.Config{Version: version, Clock: clock}
	s := newSettings("copy", env)
	declareSide(s, env, "from", "stopped installation that is copied", &from)
	declareSide(s, env, "to", "installation that it becomes", &to)
	if err := s.parse(env.args); err != nil {
		return err
	}
	for name, folder := range map[string]string{"from": from.DataDir, "to": to.DataDir} {
		if folder == "" || strings.Contains(folder, "://") {
			fmt.Fprintf(env.err, "guiche copy: -%s is a folder, also where rows are in PostgreSQL: their address is -%s-database "+
				"or, with its password, %s\n", name, name, variable(name+"-database"))
			return errUsage
		}
	}
	done, err := app.Copy(ctx, from, to, func(what string) { fmt.Fprintln(env.err, what) })
	if err != nil {
		return err
	}
	tellCopy(env.out, to, done)
	if len(done.Damage) > 0 {
		return errors.New("the copy is whole; the source was damaged already, and so is the copy")
	}
	return nil
}

// mentioned is a flag that the text of another speaks of.
var mentioned = regexp.MustCompile(`(^|\s)-([a-z])`)

// declareSide declares the settings of an installation under the name of its side: -database as -from-database, also
// where the text of another speaks of it.
func declareSide(s *settings, env environment, side, what string, c *app.Config) {
	one := newSettings(side, env)
	one.flags.StringVar(&c.Keys, "keys", "", keysUsage)
	declareDatabase(one, &c.Database)
	declareBlobs(one, &c.Blobs)
	s.flags.StringVar(&c.DataDir, side, "", "data folder of the "+what)
	one.flags.VisitAll(func(f *flag.Flag) {
		usage := mentioned.ReplaceAllString(f.Usage, "${1}-"+side+"-${2}")
		s.flags.Var(f.Value, side+"-"+f.Name, "of "+side+": "+usage)
		s.secrets[side+"-"+f.Name] = one.secrets[f.Name]
	})
}

// tellCopy says what was copied, and what has to happen now.
func tellCopy(w io.Writer, to app.Config, done app.Copied) {
	fmt.Fprintf(w, "Instalação copiada para %s\n", to.DataDir)
	fmt.Fprintf(w, "  %d registros de %d tabelas, lidos dos dois lados: são iguais.\n", done.Rows, done.Tables)
	fmt.Fprintf(w, "  %d arquivo(s) conferidos no destino, %d copiado(s) agora.\n", done.Blobs, done.Put)
	fmt.Fprintf(w, "  Auditoria: a corrente termina no registro %d, como na origem.\n", done.Trail)
	for _, line := range done.Damage {
		fmt.Fprintln(w, "  DANO, já na origem:", line)
	}
	if done.Waiting > 0 {
		fmt.Fprintf(w, "  %d pedido(s) estão na fila ou a caminho: quem segue com eles é o destino.\n", done.Waiting)
	}
	if to.Database.Owner != "" {
		fmt.Fprintln(w, "  Rode agora migrations/postgres/grants.sql com o dono do banco de dados.")
	}
	fmt.Fprintln(w, "A origem ficou como estava. Não a inicie mais: os mesmos pedidos sairiam duas vezes, com os mesmos números de guia.")
}
