package app

import (
	"context"
	"fmt"

	"guiche/internal/service/access"
)

// The user of the demo's partner is written to demo.json with its password.
const (
	demoServiceUser     = "integracao"
	demoServicePassword = "ponte-de-demonstracao"
)

// demoProfile is the partner whose credentials demo.json shows: all methods, all
// scopes, no rate limit.
func demoProfile() access.Profile {
	return access.Profile{ID: demoID("profile", "demo"), Name: "Parceiro da demonstração", Methods: access.Methods(),
		Scopes: access.Scopes()}
}

// ensureDemoPartner gives the demo's partner an access by every method. Each start
// has a key and a client of its own; those of earlier starts stay valid as long as
// somebody uses them.
func (e *embedded) ensureDemoPartner(ctx context.Context) (demoFile, error) {
	admin, profile := e.admin, demoProfile()
	if err := admin.PutProfile(ctx, profile); err != nil {
		return demoFile{}, fmt.Errorf("profile: %w", err)
	}
	key, err := admin.MintKey(ctx, profile.ID, keyIdle)
	if err != nil {
		return demoFile{}, fmt.Errorf("key: %w", err)
	}
	client, secret, err := admin.AddClient(ctx, profile.ID, "Demonstração", keyIdle)
	if err != nil {
		return demoFile{}, fmt.Errorf("client: %w", err)
	}
	if err := admin.EnsureUser(ctx, profile.ID, demoServiceUser, demoServicePassword); err != nil {
		return demoFile{}, fmt.Errorf("user: %w", err)
	}
	return demoFile{APIKey: key, OAuth: demoOAuth{client.ID.String(), secret},
		ServiceUser: demoUser{demoServiceUser, demoServicePassword}}, nil
}

// announceDemo writes demo.json.
func (a *App) announceDemo(ctx context.Context) error {
	if !a.config.Demo {
		return nil
	}
	var file demoFile
	err := a.alone(ctx, fillingDemo, func(ctx context.Context, _ bool) (err error) {
		file, err = a.embedded.ensureDemoPartner(ctx)
		return err
	})
	if err != nil {
		return fmt.Errorf("give the demo's partner access: %w", err)
	}
	file.URL, file.Logins = a.URL(), a.Logins()
	return a.config.writeAccessFile("demo.json", file)
}
