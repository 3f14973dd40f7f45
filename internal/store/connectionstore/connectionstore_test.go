package connectionstore_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/connection"
	"guiche/internal/sqlite"
	"guiche/internal/store/connectionstore"
	"guiche/migrations"

	"github.com/google/go-cmp/cmp"
)

var now = time.Date(2026, 11, 21, 13, 0, 0, 0, time.UTC)

// trail takes entries until it is told to fail.
type trail struct {
	entries []audit.Entry
	err     error
}

func (t *trail) Append(_ context.Context, _ *sqlite.Tx, e audit.Entry) error {
	t.entries = append(t.entries, e)
	return t.err
}

func MustOpen(tb testing.TB) (*connectionstore.Store, *trail) {
	tb.Helper()
	db, err := sqlite.Open(context.Background(), sqlite.Options{Path: filepath.Join(tb.TempDir(), "guiche.db"), Migrations: migrations.Desk,
		Clock: func() time.Time { return now }})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := db.Close(); err != nil {
			tb.Error(err)
		}
	})
	t := &trail{}
	return connectionstore.New(db, t), t
}

func MustLoad(tb testing.TB, s *connectionstore.Store) connection.Stored {
	tb.Helper()
	stored, err := s.Load(context.Background())
	if err != nil {
		tb.Fatal(err)
	}
	return stored
}

// everything has no field at its zero value but Embedded.
func everything() connection.Settings {
	return connection.Settings{BaseURL: "http://10.0.0.7/base", InternalHost: "10.0.0.7", Method: connection.Password, User: "clínica",
		LoginPath: "/auth", UserField: "email", PasswordField: "password", RefreshPath: "/refresh", ClientID: "cliente", TokenPath: "/token", Scope: "a b", ClientBasic: true,
		UnitsPath: "/unidades", ProfessionalsPath: "/executantes", Eligibility: connection.EligibilityAlways, EligibilityPath: "/elegivel",
		Attachments: connection.AttachmentString, UploadFiles: 3, UploadFile: 2 << 20, UploadTotal: 4 << 20,
		Connect: time.Second, Query: 2 * time.Second, Answer: 3 * time.Second, Deadline: 4 * time.Minute, ByHand: true, Features: []string{"anexos", "situacao"}}
}

func TestStore_Save(t *testing.T) {
	s, trail := MustOpen(t)
	if diff := cmp.Diff(connection.Stored{Settings: connection.Defaults(), Secrets: map[connection.Method]connection.Sealed{}}, MustLoad(t, s)); diff != "" {
		t.Errorf("before (-want +got):\n%s", diff)
	}
	first := connection.Sealed{Method: connection.Password, Origin: "http://10.0.0.7:80", Bytes: []byte{1, 2}, StoredAt: now}
	second := connection.Sealed{Method: connection.OAuth, Origin: "https://a:443", Bytes: []byte{3}, StoredAt: now.Add(time.Hour)}
	replaced := connection.Sealed{Method: connection.Password, Origin: "https://a:443", Bytes: []byte{4}, StoredAt: now.Add(time.Minute)}
	for _, secret := range []*connection.Sealed{&first, &second, nil, &replaced} {
		if err := s.Save(t.Context(), everything(), secret, audit.Entry{Event: audit.ConnectionChanged}); err != nil {
			t.Fatal(err)
		}
	}
	want := connection.Stored{Settings: everything(), UpdatedAt: now,
		Secrets: map[connection.Method]connection.Sealed{connection.Password: replaced, connection.OAuth: second}}
	if diff := cmp.Diff(want, MustLoad(t, s)); diff != "" {
		t.Errorf("after (-want +got):\n%s", diff)
	}
	if len(trail.entries) != 4 {
		t.Errorf("got %d entries, want one for each time", len(trail.entries))
	}
}

// What the trail does not take does not happen.
func TestStore_Save_Untold(t *testing.T) {
	s, trail := MustOpen(t)
	trail.err = errors.New("trail")
	secret := connection.Sealed{Method: connection.APIKey, Origin: "https://a:443", Bytes: []byte{1}, StoredAt: now}
	if err := s.Save(t.Context(), everything(), &secret, audit.Entry{}); !errors.Is(err, trail.err) {
		t.Fatalf("got %v, want the trail's error", err)
	}
	if got := MustLoad(t, s); !got.UpdatedAt.IsZero() || len(got.Secrets) != 0 {
		t.Errorf("got %+v kept", got)
	}
}

func TestStore_Save_Schema(t *testing.T) {
	s, _ := MustOpen(t)
	for name, change := range map[string]func(*connection.Settings){
		"Method":      func(c *connection.Settings) { c.Method = "outro" },
		"Attachments": func(c *connection.Settings) { c.Attachments = "" },
		"Time":        func(c *connection.Settings) { c.Answer = 0 },
		"Eligibility": func(c *connection.Settings) { c.Eligibility = "" },
		"Upload":      func(c *connection.Settings) { c.UploadFile = 0 },
	} {
		c := everything()
		change(&c)
		if err := s.Save(t.Context(), c, nil, audit.Entry{}); err == nil {
			t.Errorf("%s: got no error, want the schema's", name)
		}
	}
}
