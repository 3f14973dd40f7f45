package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"guiche/internal/app"
	"guiche/internal/backup"
)

// makeBackup is "guiche backup". It can run while a server uses the same data folder.
func makeBackup(ctx context.Context, env environment) error {
	c, b := app.Config{Version: version}, app.Backups{}
	s := newSettings("backup", env)
	s.data(&c)
	declareBlobs(s, &c.Blobs)
	s.flags.StringVar(&b.Folder, "to", "", "folder of backups; it is better on another machine or disk")
	s.list(&b.Recipients, "recipient", "age public key (age1…) that the backup is encrypted to; may be given several times")
	s.flags.IntVar(&b.Keep, "keep", 0, "how many backups stay in the folder; 0 keeps all")
	s.flags.BoolVar(&b.Recheck, "recheck", false, "read files that are in the folder already, and copy damaged ones again")
	if err := s.parse(env.args); err != nil {
		return err
	}
	if b.Folder == "" {
		fmt.Fprintln(env.err, "guiche backup: -to is missing")
		return errUsage
	}
	if b.Keep < 0 {
		fmt.Fprintln(env.err, "guiche backup: -keep must not be negative")
		return errUsage
	}
	r, err := app.MakeBackup(ctx, c, b)
	if r.Path != "" { // also where older ones could not be removed
		tellBackup(env.out, r)
	}
	return err
}

// tellBackup says what a backup holds, and what it does not.
func tellBackup(w io.Writer, r backup.Result) {
	fmt.Fprintf(w, "Cópia feita em %s\n", r.Path)
	fmt.Fprintf(w, "  %d bytes; %d arquivo(s) novo(s); %d cópia(s) antiga(s) apagada(s)\n", r.Manifest.Bytes(), r.Copied, r.Removed)
	if place := r.Manifest.Place(); place != "" {
		fmt.Fprintf(w, "Os arquivos ficam em %s: a cópia só os nomeia. O que os guarda são as versões do depósito.\n", place)
	}
	if n := r.Manifest.Missing(); n > 0 {
		fmt.Fprintf(w, "Atenção: %d arquivo(s) faltam ou estão danificados na própria instalação. guiche verify diz quais.\n", n)
	}
	if r.Manifest.Encrypted {
		fmt.Fprintln(w, "Está cifrada, com as chaves da instalação. Só abre com a identidade age de um destinatário: guarde-a fora daqui.")
		return
	}
	fmt.Fprintln(w, "Não está cifrada e não leva as chaves da instalação (pasta keys): guarde as chaves à parte, ou use -recipient.")
}

// restore is "guiche restore".
func restore(ctx context.Context, env environment) error {
	c, r := app.Config{Version: version}, app.Restoration{}
	s := newSettings("restore", env)
	declareBlobs(s, &c.Blobs)
	declareDatabase(s, &c.Database)
	s.flags.StringVar(&c.DataDir, "data", "guiche-data", "folder to restore to; empty, or not there")
	s.flags.StringVar(&r.From, "from", "", "one backup, or a folder of backups: then the newest;\n"+
		"without it the rows that the server's own tools put back in -database")
	s.flags.StringVar(&r.Identity, "identity", "", "age identity file that opens encrypted backups")
	s.flags.StringVar(&r.Keys, "keys", "", "folder of the installation's keys, or the file of each, for a backup that holds none")
	s.flags.BoolVar(&r.NewKeys, "new-keys", false, "the keys are lost for good: go on with new ones")
	if err := s.parse(env.args); err != nil {
		return err
	}
	if r.From == "" && c.Database.URL != "" {
		c.Keys = r.Keys
		return restoredByServer(ctx, env, c)
	}
	if r.From == "" {
		fmt.Fprintln(env.err, "guiche restore: -from is missing")
		return errUsage
	}
	done, err := app.Restore(ctx, c, r)
	if err != nil {
		return err
	}
	fmt.Fprintf(env.out, "Restaurada em %s a cópia de %s (UTC)\n", c.DataDir, done.Manifest.MadeAt.Format("02/01/2006 15:04:05"))
	fmt.Fprintf(env.out, "  %d pedido(s) estavam na fila ou a caminho: aparecem como sem resposta, e nenhum sai sozinho.\n", done.Unknown)
	fmt.Fprintln(env.out, "  Todos entram de novo; links de uso único e tokens deixaram de valer.")
	fmt.Fprintln(env.out, "  Senhas, pessoas e chaves de parceiros são as da cópia: o que foi retirado depois dela vale de novo. Confira.")
	if place := done.Manifest.Place(); place != "" {
		fmt.Fprintf(env.out, "  Os arquivos estão em %s, que o primeiro início toma para si: a anterior não pode mais rodar.\n", place)
	}
	if n := done.Manifest.Missing(); n > 0 {
		fmt.Fprintf(env.out, "  %d arquivo(s) já faltavam na instalação copiada.\n", n)
	}
	return nil
}

// restoredByServer is "guiche restore" where PostgreSQL's own tools put the rows back.
func restoredByServer(ctx context.Context, env environment, c app.Config) error {
	unknown, err := app.RestoredByServer(ctx, c)
	if err != nil {
		return err
	}
	fmt.Fprintln(env.out, "O banco de dados restaurado pode seguir como instalação")
	fmt.Fprintf(env.out, "  %d pedido(s) estavam na fila ou a caminho: aparecem como sem resposta, e nenhum sai sozinho.\n", unknown)
	fmt.Fprintln(env.out, "  Todos entram de novo; links de uso único e tokens deixaram de valer.")
	fmt.Fprintln(env.out, "  Se o depósito sabe de registros mais novos, a auditoria avisa que o fim da trilha falta: encerre o aviso lá.")
	return nil
}

// errDamage ends a check that found damage, which is printed already.
var errDamage = errors.New("damage was found")

// verify is "guiche verify PATH", or that of an installation on a database server.
func verify(ctx context.Context, env environment) error {
	var identity string
	var rowsOnly bool
	var c app.Config
	s := newSettings("verify", env)
	s.paths = true
	s.calls = []string{
		"guiche verify [-identity FILE] [-keys FOLDER] PATH",
		"guiche verify -database URL [-blobs PLACE] [-rows-only] [-data FOLDER] [-keys FOLDER]",
	}
	declareBlobs(s, &c.Blobs)
	s.flags.StringVar(&identity, "identity", "", "age identity file that opens encrypted backups")
	s.flags.BoolVar(&rowsOnly, "rows-only", false, "leave out the files that the rows of a database server name")
	s.data(&c)
	if err := s.parse(env.args); err != nil {
		return err
	}
	var r backup.Report
	var err error
	switch {
	case s.flags.NArg() == 1:
		r, err = app.Verify(ctx, c, s.flags.Arg(0), identity)
	case s.flags.NArg() == 0 && c.Database.URL != "":
		r, err = app.VerifyServer(ctx, c, rowsOnly)
	default:
		fmt.Fprintln(env.err, s.title())
		return errUsage
	}
	if err != nil {
		return err
	}
	tellReport(env.out, r)
	if !r.Whole() {
		return errDamage
	}
	return nil
}

// tellReport says what a check found.
func tellReport(w io.Writer, r backup.Report) {
	fmt.Fprintf(w, "Conferência de %s\n", r.Path)
	for _, s := range r.Damage {
		fmt.Fprintln(w, "  DANO:", s)
	}
	if r.More > 0 {
		fmt.Fprintf(w, "  DANO: e mais %d.\n", r.More)
	}
	for _, s := range r.Unchecked {
		fmt.Fprintln(w, "  Não conferido:", s)
	}
	if r.Whole() {
		fmt.Fprintf(w, "Nenhum dano encontrado; %d arquivo(s) lidos.\n", r.Blobs)
	}
}
