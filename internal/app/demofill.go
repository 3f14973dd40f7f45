package app

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"guiche/internal/account"
	"guiche/internal/atomicfile"
	"guiche/internal/demo"
	"guiche/internal/directory"
	"guiche/internal/directory/catalogue"
	"guiche/internal/permission"
	"guiche/internal/problem"
	"guiche/internal/service"
	"guiche/internal/service/simulated"
	"guiche/web/page"

	"github.com/google/uuid"
)

// Names that demo guides print.
const (
	demoContractor = "Clínica Beira-Rio (demonstração)"
	demoCNES       = "0000000"
	demoANS        = "000000"
)

// fillDemo puts in place what the demo starts with, and what training with
// simulated operators needs. A later start on the same folder changes nothing.
func (a *App) fillDemo(ctx context.Context) error {
	if a.past != nil { // what is there was there before the first case
		a.past.clock.Set(demo.Start(a.past.clock.Now()))
		defer a.past.clock.Return()
	}
	return a.alone(ctx, fillingDemo, func(ctx context.Context, abandoned bool) error {
		if err := a.fillProcedures(ctx); err != nil || !a.config.Simulated {
			return err
		}
		if err := a.fillTraining(ctx, abandoned); err != nil {
			return fmt.Errorf("fill the demo: %w", err)
		}
		return nil
	})
}

// fillTraining fills the lists and, of a demo, adds the logins, unless there is something.
// What a start before began, or a process that was killed, is begun anew.
func (a *App) fillTraining(ctx context.Context, abandoned bool) error {
	begun := abandoned || exists(a.fillingFile())
	filled, err := a.filled(ctx)
	if err != nil {
		return err
	}
	some, err := a.data.accounts.HasUsers(ctx)
	if err != nil {
		return err
	}
	var fills []func(context.Context) error
	if begun || !filled {
		fills = append(fills, a.fillDirectory, a.fillCredentials)
	}
	if a.config.Demo && (begun || !some) {
		fills = append(fills, a.fillLogins)
	}
	if len(fills) == 0 {
		return nil
	}
	if err := atomicfile.Write(a.fillingFile(), nil, 0o600); err != nil {
		return err
	}
	for _, fill := range fills {
		if err := fill(ctx); err != nil {
			return err
		}
	}
	return os.Remove(a.fillingFile())
}

// fillingFile is there while the lists and the logins are filled in.
func (a *App) fillingFile() string { return filepath.Join(a.config.DataDir, "demo.filling") }

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// filled reports whether the directory holds anything.
func (a *App) filled(ctx context.Context) (bool, error) {
	units, err := a.data.directory.ListUnits(ctx, "")
	if err != nil || len(units) > 0 {
		return true, err
	}
	credentials, err := a.data.directory.ListCredentials(ctx, "")
	return len(credentials) > 0, err
}

// fillProcedures ships the catalogue to every installation, once.
func (a *App) fillProcedures(ctx context.Context) error {
	all := catalogue.Procedures()
	if _, err := a.data.directory.Procedure(ctx, all[0].Code); !problem.Is(err, problem.NotFound) {
		return err
	}
	procedures := make([]directory.Procedure, len(all))
	for i, p := range all {
		procedures[i] = directory.Procedure{Code: p.Code, Name: p.Name, Aliases: p.Aliases, Active: true}
	}
	if err := a.data.directory.PutProcedures(ctx, procedures...); err != nil {
		return fmt.Errorf("fill the procedures: %w", err)
	}
	return nil
}

// fillDirectory puts units and professionals into the desk's directory, which the
// embedded service follows.
func (a *App) fillDirectory(ctx context.Context) error {
	if err := a.data.directory.PutUnits(ctx, demoUnits()...); err != nil {
		return err
	}
	return a.data.directory.PutProfessionals(ctx, demoProfessionals()...)
}

// fillCredentials writes the demo's operators to both halves.
func (a *App) fillCredentials(ctx context.Context) error {
	for _, c := range demoCredentials() {
		if err := a.data.directory.PutCredential(ctx, c); err != nil {
			return err
		}
	}
	return a.embedded.fillCredentials(ctx)
}

// fillCredentials gives the service the credentials of the simulated operators.
func (e *embedded) fillCredentials(ctx context.Context) error {
	for _, c := range demoCredentials() {
		if err := e.admin.PutCredential(ctx, service.Credential{
			ID: c.UID, EligibilityID: c.EligibilityID, Name: c.Name, ProviderCode: c.ProviderCode, Operator: simulatedOperator,
			ANSRegister: demoANS, Contractor: demoContractor, CNES: demoCNES, Indication: c.Indication, Biometrics: c.Biometrics,
			ValidityRequired: c.ValidityRequired, CardPattern: c.CardPattern, AttachmentsFor: demoAttachmentsFor(c.Name),
		}); err != nil {
			return err
		}
	}
	return nil
}

// fillLogins adds the three logins, who work in the first unit.
func (a *App) fillLogins(ctx context.Context) error {
	for _, l := range demoLogins() {
		if err := a.ensureLogin(ctx, l, demoUnits()[0].UID); err != nil {
			return err
		}
	}
	return nil
}

// ensureLogin adds a person, or gives a password to one whom a start before added.
func (a *App) ensureLogin(ctx context.Context, l Login, unit uuid.UUID) error {
	user, err := a.data.accounts.UserByLogin(ctx, l.User)
	if problem.Is(err, problem.NotFound) {
		user, _, err = a.data.accounts.AddUser(ctx, permission.Program(), account.NewUser{Login: l.User, Name: l.name,
			Roles: []permission.Role{permission.Role(l.Role)}, Units: []uuid.UUID{unit}})
	}
	if err != nil || user.Activated {
		return err
	}
	return a.data.accounts.SetPassword(ctx, user.UID, l.Password)
}

// Logins are the demo's logins, none elsewhere.
func (a *App) Logins() []Login {
	if !a.config.Demo {
		return nil
	}
	return demoLogins()
}

// demoLoginRows are the logins that the demo's entry page shows.
func (a *App) demoLoginRows() []page.DemoLogin {
	var rows []page.DemoLogin
	for _, l := range a.Logins() {
		rows = append(rows, page.DemoLogin{Role: permission.Role(l.Role).Label(), User: l.User, Password: l.Password})
	}
	return rows
}

// demoCards lists what to type to see each answer of the simulated operators.
func demoCards(operators *simulated.Operator) []page.DemoCard {
	if operators == nil {
		return nil
	}
	var rows []page.DemoCard
	for _, e := range operators.Catalogue() {
		rows = append(rows, page.DemoCard{Card: e.Card, Happens: e.What})
	}
	return rows
}
