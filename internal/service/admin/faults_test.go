package admin_test

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"testing"
	"time"

	"guiche/internal/password"
	"guiche/internal/problem"
	"guiche/internal/service"
	"guiche/internal/service/access"
	"guiche/internal/service/admin"
	"guiche/internal/service/servicetest"

	"github.com/google/uuid"
)

// TestAdmin_Cancelled: where nothing can be read or written any more, that is the
// error, and neither "not found" nor a list that is empty.
func TestAdmin_Cancelled(t *testing.T) {
	e := MustEnv(t, limits{})
	p := e.MustPartner(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	fresh := access.Profile{ID: uuid.New(), Name: "Clínica", Methods: access.Methods(), Scopes: access.Scopes()}
	for name, do := range map[string]func(a *admin.Admin) error{
		"Credentials": func(a *admin.Admin) error {
			_, err := a.Credentials(ctx, service.CredentialQuery{Page: 1, Size: 1})
			return err
		},
		"HasCredentials":  func(a *admin.Admin) error { _, err := a.HasCredentials(ctx); return err },
		"Credential":      func(a *admin.Admin) error { _, err := a.Credential(ctx, strictID); return err },
		"CheckCredential": func(a *admin.Admin) error { return a.CheckCredential(ctx, servicetest.Credentials()[0]) },
		"PutCredential":   func(a *admin.Admin) error { return a.PutCredential(ctx, servicetest.Credentials()[0]) },
		"Units":           func(a *admin.Admin) error { _, err := a.Units(ctx, service.DirectoryQuery{}); return err },
		"Unit":            func(a *admin.Admin) error { _, err := a.Unit(ctx, unitID); return err },
		"PutUnit":         func(a *admin.Admin) error { return a.PutUnit(ctx, service.Unit{ID: unitID, Name: "Centro"}) },
		"Professionals":   func(a *admin.Admin) error { _, err := a.Professionals(ctx, service.DirectoryQuery{}); return err },
		"Professional":    func(a *admin.Admin) error { _, err := a.Professional(ctx, professionalID); return err },
		"PutProfessional": func(a *admin.Admin) error {
			return a.PutProfessional(ctx, service.Professional{ID: professionalID, Name: "Ana"})
		},
		"Profiles":      func(a *admin.Admin) error { _, err := a.Profiles(ctx); return err },
		"Profile":       func(a *admin.Admin) error { _, err := a.Profile(ctx, p.Profile.ID); return err },
		"EnsureProfile": func(a *admin.Admin) error { return a.EnsureProfile(ctx, fresh) },
		"ChangeCredential": func(a *admin.Admin) error {
			return a.ChangeCredential(ctx, strictID, asItIs[service.Credential])
		},
		"ChangeUnit": func(a *admin.Admin) error { return a.ChangeUnit(ctx, unitID, asItIs[service.Unit]) },
		"ChangeProfessional": func(a *admin.Admin) error {
			return a.ChangeProfessional(ctx, professionalID, asItIs[service.Professional])
		},
		"ChangeProfile": func(a *admin.Admin) error { return a.ChangeProfile(ctx, p.Profile.ID, asItIs[access.Profile]) },
		"PutProfile":    func(a *admin.Admin) error { return a.PutProfile(ctx, fresh) },
		"CheckProfile":  func(a *admin.Admin) error { return a.CheckProfile(ctx, fresh) },
		"MintKey":       func(a *admin.Admin) error { _, err := a.MintKey(ctx, p.Profile.ID, 0); return err },
		"Keys":          func(a *admin.Admin) error { _, err := a.Keys(ctx, p.Profile.ID); return err },
		"RevokeKey":     func(a *admin.Admin) error { return a.RevokeKey(ctx, uuid.New()) },
		"AddClient":     func(a *admin.Admin) error { _, _, err := a.AddClient(ctx, p.Profile.ID, "Agenda", 0); return err },
		"Clients":       func(a *admin.Admin) error { _, err := a.Clients(ctx, p.Profile.ID); return err },
		"RevokeClient":  func(a *admin.Admin) error { return a.RevokeClient(ctx, p.Client.ID) },
		"Families": func(a *admin.Admin) error {
			_, err := a.Families(ctx, access.FamilyQuery{Profile: p.Profile.ID})
			return err
		},
		"Family":          func(a *admin.Admin) error { _, err := a.Family(ctx, uuid.New()); return err },
		"RevokeFamily":    func(a *admin.Admin) error { return a.RevokeFamily(ctx, uuid.New()) },
		"RevokeFamilies":  func(a *admin.Admin) error { return a.RevokeFamilies(ctx, p.Profile.ID) },
		"AddUser":         func(a *admin.Admin) error { _, _, err := a.AddUser(ctx, p.Profile.ID, "agenda", ""); return err },
		"Users":           func(a *admin.Admin) error { _, err := a.Users(ctx, p.Profile.ID); return err },
		"SetUserPassword": func(a *admin.Admin) error { _, err := a.SetUserPassword(ctx, p.User, ""); return err },
		"SetUserDisabled": func(a *admin.Admin) error { return a.SetUserDisabled(ctx, p.User.ID, true) },
		"EnsureUser": func(a *admin.Admin) error {
			return a.EnsureUser(ctx, p.Profile.ID, p.User.Name, servicetest.PartnerPassword)
		},
		"Ledger":      func(a *admin.Admin) error { _, err := a.Ledger(ctx, admin.LedgerQuery{Limit: 1}); return err },
		"LedgerEntry": func(a *admin.Admin) error { _, _, err := a.LedgerEntry(ctx, uuid.New()); return err },
	} {
		if err := do(e.Admin); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v, want %v", name, err, context.Canceled)
		}
	}
	if got := opens(e, servicetest.Bearer(p.Access)); got != http.StatusOK {
		t.Errorf("afterwards the partner gets %d, want nothing changed", got)
	}
}

func asItIs[T any](entry T) (T, error) { return entry, nil }

// brokenAccess keeps nothing that is a secret's.
type brokenAccess struct{ access.Store }

var errDisk = errors.New("the disk failed")

func (brokenAccess) AddKey(context.Context, access.Key) error { return errDisk }

func (brokenAccess) AddClient(context.Context, access.OAuthClient) error { return errDisk }

func (brokenAccess) AddUser(context.Context, access.User, string) error { return errDisk }

func (brokenAccess) SetUserPassword(context.Context, uuid.UUID, string, time.Time) error {
	return errDisk
}

// TestAdmin_NoSecretOnError: a secret that was not kept is not handed out, or it
// would be given to a partner for whom it opens nothing.
func TestAdmin_NoSecretOnError(t *testing.T) {
	e := MustEnv(t, limits{})
	p := e.MustPartner(t)
	a := admin.New(admin.Config{Access: brokenAccess{e.AccessStore()}, Clock: e.Clock.Now})
	for name, do := range map[string]func() (string, error){
		"MintKey": func() (string, error) { return a.MintKey(t.Context(), p.Profile.ID, 0) },
		"AddClient": func() (string, error) {
			_, secret, err := a.AddClient(t.Context(), p.Profile.ID, "Agenda", 0)
			return secret, err
		},
		"AddUser": func() (string, error) {
			_, secret, err := a.AddUser(t.Context(), p.Profile.ID, "agenda", "")
			return secret, err
		},
		"SetUserPassword": func() (string, error) { return a.SetUserPassword(t.Context(), p.User, "") },
	} {
		if secret, err := do(); secret != "" || !errors.Is(err, errDisk) {
			t.Errorf("%s: got %d characters and %v, want %v alone", name, len(secret), err, errDisk)
		}
	}
}

// brokenHasher can neither hash nor verify.
type brokenHasher struct{ password.Hasher }

var errHasher = errors.New("the hasher failed")

func (brokenHasher) Hash(context.Context, string) (string, error) { return "", errHasher }

func (brokenHasher) Verify(context.Context, string, string) (bool, error) { return false, errHasher }

// TestAdmin_Users_HasherFails: without a hash nothing is kept, and a password that
// could not be checked is not replaced.
func TestAdmin_Users_HasherFails(t *testing.T) {
	e := MustEnv(t, limits{})
	p := e.MustPartner(t)
	broken := admin.New(admin.Config{Access: e.AccessStore(), Hasher: brokenHasher{}, Clock: e.Clock.Now})
	if _, secret, err := broken.AddUser(t.Context(), p.Profile.ID, "agenda", ""); !errors.Is(err, errHasher) || secret != "" {
		t.Errorf("AddUser: got %q, %v, want %v", secret, err, errHasher)
	}
	if secret, err := broken.SetUserPassword(t.Context(), p.User, ""); !errors.Is(err, errHasher) || secret != "" {
		t.Errorf("SetUserPassword: got %q, %v, want %v", secret, err, errHasher)
	}
	if err := broken.EnsureUser(t.Context(), p.Profile.ID, p.User.Name, "outra frase bem longa"); !errors.Is(err, errHasher) {
		t.Errorf("EnsureUser: got %v, want %v", err, errHasher)
	}
	users, err := e.Admin.Users(t.Context(), p.Profile.ID)
	if err != nil || len(users) != 1 || e.Login(p.User.Name, servicetest.PartnerPassword).Status != http.StatusOK {
		t.Errorf("afterwards: got %+v, %v", users, err)
	}
}

// TestAdmin_SetUserPassword_Refused: a password that nobody may have leaves the one
// that is there.
func TestAdmin_SetUserPassword_Refused(t *testing.T) {
	e := MustEnv(t, limits{})
	p := e.MustPartner(t)
	for _, given := range []string{"curta", p.User.Name} {
		secret, err := e.Admin.SetUserPassword(t.Context(), p.User, given)
		if !problem.Is(err, problem.Invalid) || len(problem.FieldsOf(err)) == 0 || problem.FieldsOf(err)[0].Path != "senha" || secret != "" {
			t.Errorf("%q: got %q, %v, want %s", given, secret, err, problem.Invalid)
		}
	}
	if got := e.Login(p.User.Name, servicetest.PartnerPassword).Status; got != http.StatusOK {
		t.Errorf("the password from before: got %d", got)
	}
	unknown := p.User
	unknown.ID = uuid.New()
	if _, err := e.Admin.SetUserPassword(t.Context(), unknown, ""); !problem.Is(err, problem.NotFound) {
		t.Errorf("nobody's: got %v, want %s", err, problem.NotFound)
	}
}

// TestAdmin_CheckCredential_Messages: each text is named as the form names it, with
// how much it may hold.
func TestAdmin_CheckCredential_Messages(t *testing.T) {
	e := MustEnv(t, limits{})
	c := servicetest.Credentials()[0]
	longest(&c, 1)
	want := map[string]string{
		"nome": "Use no máximo 100 caracteres.", "codigoPrestador": "Use no máximo 20 caracteres.",
		"contratado": "Use no máximo 70 caracteres.", "indicacaoClinica": "Use no máximo 500 caracteres.",
		"formatoCarteira": "Use no máximo 200 caracteres.",
	}
	got := map[string]string{}
	for _, f := range problem.FieldsOf(e.Admin.CheckCredential(t.Context(), c)) {
		got[f.Path] = f.Message
	}
	if !maps.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
