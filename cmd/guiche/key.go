package main

import (
	"context"
	"fmt"

	"guiche/internal/app"
)

// keyCommands returns the commands of "guiche key", in the order of its usage text.
func keyCommands() []command {
	return []command{
		{"rotate", "renew the key that seals stored secrets, also beside a running server", rotateKey},
		{"list", "list the keys by their ids, with their files", listKeys},
		{"replace", "put new keys in use for those that are lost for good", replaceKeys},
	}
}

// key is "guiche key …".
func key(ctx context.Context, env environment) error { return runOneOf(ctx, env, "key", keyCommands()) }

// keySettings declares what the key commands share.
func keySettings(name string, env environment) (*settings, *app.Config) {
	s, c := newSettings("key "+name, env), &app.Config{Version: version}
	s.data(c)
	return s, c
}

// rotateKey is "guiche key rotate".
func rotateKey(ctx context.Context, env environment) error {
	s, c := keySettings("rotate", env)
	prepare := s.flags.Bool("prepare", false, "only make the new key, whose file is then put on every machine")
	if err := s.parse(env.args); err != nil {
		return err
	}
	if *prepare {
		file, err := app.PrepareKey(ctx, *c)
		if err == nil {
			fmt.Fprintf(env.out, "A nova chave de selagem está em %s, ainda sem uso. Copie o arquivo para a pasta das chaves de cada máquina\n"+
				"e depois execute guiche key rotate.\n", file)
		}
		return err
	}
	r, err := app.RotateKey(ctx, *c)
	if err != nil {
		return err
	}
	fmt.Fprintf(env.out, "A chave de selagem agora é %s, em %s. Segredos selados com ela: %d.\n", r.ID, r.File, r.Resealed)
	if r.Unopened > 0 {
		fmt.Fprintf(env.out, "Segredos que já não abriam e ficaram como estavam: %d. Digite-os de novo na página Conexão.\n", r.Unopened)
	}
	fmt.Fprintln(env.out, "A chave anterior só serve para cópias de segurança feitas até agora.",
		"Apague o arquivo dela quando não houver mais nenhuma.")
	return nil
}

// listKeys is "guiche key list".
func listKeys(ctx context.Context, env environment) error {
	s, c := keySettings("list", env)
	if err := s.parse(env.args); err != nil {
		return err
	}
	keys, err := app.ListKeys(ctx, *c)
	for _, k := range keys {
		state, file := "em uso", k.File
		if !k.InUse {
			state = "anterior"
		}
		switch {
		case k.Missing:
			file = "(o arquivo não está na pasta)"
		case k.Unread != nil:
			file = fmt.Sprintf("(o arquivo não pôde ser lido: %v)", k.Unread)
		}
		fmt.Fprintf(env.out, "%-8s %s %-9s %s\n", k.Name, k.ID, state, file)
	}
	return err
}

// replaceKeys is "guiche key replace".
func replaceKeys(ctx context.Context, env environment) error {
	s, c := keySettings("replace", env)
	names := s.flags.String("name", "", "audit, browser, seal; several with commas")
	if err := s.parse(env.args); err != nil {
		return err
	}
	if *names == "" {
		fmt.Fprintln(env.err, "-name is missing")
		return errUsage
	}
	if err := app.ReplaceKeys(ctx, *c, splitList(*names)); err != nil {
		return err
	}
	_, err := fmt.Fprintln(env.out, "Chaves novas em uso. Com a de selagem, segredos guardados precisam ser digitados de novo;",
		"com a da auditoria, a corrente aparece rompida até aqui.")
	return err
}
