package connectionstore_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/connection"
	"guiche/internal/store/connectionstore"
	"guiche/internal/store/engine"
	"guiche/internal/store/storetest"
	"guiche/migrations"

	"github.com/google/go-cmp/cmp"
)

var now = time.Date(2026, 11, 21, 13, 0, 0, 0, time.UTC)

// trail takes entries, or fails with err.
type trail struct {
	entries []audit.Entry
	err     error
}

func (t *trail) Append(_ context.Context, tx *engine.Tx, e audit.Entry) error {
	tx.OnRollback(func() { t.entries = t.entries[:len(t.entries)-1] })
	t.entries = append(t.entries, e)
	return t.err
}

func MustOpen(tb testing.TB) (*connectionstore.Store, *trail) {
	tb.Helper()
	db, t := MustOpenDB(tb), &trail{}
	return connectionstore.New(db, t), t
}

func MustOpenDB(tb testing.TB) engine.DB {
	tb.Helper()
	return storetest.Open(tb, migrations.Desk, func() time.Time { return now })
}

func MustLoad(tb testing.TB, s *connectionstore.Store) connection.Stored {
	tb.Helper()
	stored, err := s.Load(context.Background())
	if err != nil {
		tb.Fatal(err)
	}
	return stored
}

// everything has no setting of today at its zero value, but Embedded.
func everything() connection.Settings {
	c := connection.Defaults()
	c.Embedded, c.BaseURL, c.InternalHost, c.Method, c.User = false, "http://10.0.0.7/base", "10.0.0.7", connection.Password, "clínica"
	c.LoginPath, c.UserField, c.PasswordField, c.RefreshPath = "/auth", "email", "password", "/refresh"
	c.ClientID, c.TokenPath, c.Scope, c.ClientBasic = "cliente", "/token", "a b", true
	c.UnitsPath, c.ProfessionalsPath, c.Eligibility, c.EligibilityPath = "/unidades", "/executantes", connection.EligibilityAlways, "/elegivel"
	c.Attachments, c.UploadFiles, c.UploadFile, c.UploadTotal = connection.AttachmentString, 3, 2<<20, 4<<20
	c.Connect, c.Query, c.Answer, c.Deadline = time.Second, 2*time.Second, 3*time.Second, 4*time.Minute
	c.ByHand, c.Features = true, []string{"anexos", "situacao"}
	return c
}

func TestStore_Save(t *testing.T) {
	s, trail := MustOpen(t)
	if diff := cmp.Diff(connection.Stored{Settings: connection.Defaults(), Secrets: map[connection.Method]connection.Sealed{}},
		MustLoad(t, s)); diff != "" {
		t.Errorf("before (-want +got):\n%s", diff)
	}
	first := connection.Sealed{Method: connection.Password, Origin: "http://10.0.0.7:80", Bytes: []byte{1, 2}, StoredAt: now}
	second := connection.Sealed{Method: connection.OAuth, Origin: "https://a:443", Bytes: []byte{3}, StoredAt: now.Add(time.Hour)}
	replaced := connection.Sealed{Method: connection.Password, Origin: "https://a:443", Bytes: []byte{4}, StoredAt: now.Add(time.Minute)}
	for _, secret := range []*connection.Sealed{&first, &second, nil, &replaced} {
		if err := s.Save(t.Context(), MustLoad(t, s), everything(), secret, audit.Entry{Event: audit.ConnectionChanged}); err != nil {
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

// One feature is a list as well, and none is no list.
func TestStore_Save_Features(t *testing.T) {
	s, _ := MustOpen(t)
	for _, features := range [][]string{{"anexos"}, nil} {
		settings := everything()
		settings.Features = features
		if err := s.Save(t.Context(), MustLoad(t, s), settings, nil, audit.Entry{}); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(features, MustLoad(t, s).Features); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// TestStore_Save_Stale: over what was changed since it was read nothing is saved.
func TestStore_Save_Stale(t *testing.T) {
	s, trail := MustOpen(t)
	before := MustLoad(t, s)
	secret := connection.Sealed{Method: connection.Password, Origin: "http://10.0.0.7:80", Bytes: []byte{1}, StoredAt: now}
	if err := s.Save(t.Context(), before, everything(), &secret, audit.Entry{}); err != nil {
		t.Fatal(err)
	}
	saved := MustLoad(t, s)
	renewed := saved
	renewed.KeyID = "0123456789abcdef"
	for name, read := range map[string]connection.Stored{"Saved": before, "KeyRenewed": renewed} {
		if err := s.Save(t.Context(), read, connection.Defaults(), &secret, audit.Entry{}); !errors.Is(err, connection.ErrStale) {
			t.Errorf("%s: got %v, want %v", name, err, connection.ErrStale)
		}
	}
	if diff := cmp.Diff(saved, MustLoad(t, s)); diff != "" || len(trail.entries) != 1 {
		t.Errorf("%d entries (-want +got):\n%s", len(trail.entries), diff)
	}
}

// Without its audit entry nothing is saved.
func TestStore_Save_NoAudit(t *testing.T) {
	s, trail := MustOpen(t)
	trail.err = errors.New("trail")
	secret := connection.Sealed{Method: connection.APIKey, Origin: "https://a:443", Bytes: []byte{1}, StoredAt: now}
	if err := s.Save(t.Context(), MustLoad(t, s), everything(), &secret, audit.Entry{}); !errors.Is(err, trail.err) {
		t.Fatalf("got %v, want the trail's error", err)
	}
	if got := MustLoad(t, s); !got.UpdatedAt.IsZero() || len(got.Secrets) != 0 {
		t.Errorf("got %+v kept", got)
	}
}

// What can be typed at most fits into the schema, and what it must not hold does not.
func TestStore_Save_Limits(t *testing.T) {
	s, _ := MustOpen(t)
	for _, f := range connection.Fields() {
		t.Run(f.Column, func(t *testing.T) {
			most, wrong := limits(f)
			for _, value := range most {
				if err := s.Save(t.Context(), MustLoad(t, s), with(f, value), nil, audit.Entry{}); err != nil {
					t.Errorf("%.20v: got %v", value, err)
				}
			}
			for _, value := range wrong {
				before := MustLoad(t, s)
				if err := s.Save(t.Context(), MustLoad(t, s), with(f, value), nil, audit.Entry{}); err == nil {
					t.Errorf("%.20v: got no error, want the schema's", value)
				}
				if diff := cmp.Diff(before, MustLoad(t, s)); diff != "" {
					t.Errorf("a setting was kept (-want +got):\n%s", diff)
				}
			}
		})
	}
}

// limits are values of a setting that the schema must take, and such that it must not.
func limits(f connection.Field) (most, wrong []any) {
	switch f.Kind {
	case connection.Number:
		return []any{1, f.Max}, []any{0, -1}
	case connection.Megabytes:
		return []any{int64(1 << 20), int64(f.Max) << 20}, []any{int64(0), int64(-1)}
	case connection.Seconds, connection.Minutes:
		return []any{time.Second, 24 * time.Hour}, []any{time.Duration(0), 999 * time.Millisecond}
	case connection.Switch:
		return []any{true, false}, nil
	case connection.OneOf:
		for _, c := range f.Choices {
			most = append(most, c.Value)
		}
		return most, []any{"", "outro"}
	case connection.Marks:
		var all []string
		for _, c := range f.Choices {
			all = append(all, c.Value)
		}
		return []any{all, []string(nil)}, []any{[]string{strings.Repeat("a", 301)}}
	}
	return []any{"", strings.Repeat("á", f.Max)}, []any{strings.Repeat("a", f.Max+3)}
}

// with is every setting, one of them with that value.
func with(f connection.Field, value any) connection.Settings {
	c := everything()
	reflect.ValueOf(f.At(&c)).Elem().Set(reflect.ValueOf(value))
	return c
}

// Every column is a setting's, and the other way about.
func TestStore_Columns(t *testing.T) {
	want := map[string]bool{"id": true, "updated_at": true}
	for _, f := range connection.Fields() {
		want[f.Column] = true
	}
	got := map[string]bool{}
	for _, name := range storetest.Columns(t, MustOpenDB(t), "connection") {
		got[name] = true
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-settings +columns):\n%s", diff)
	}
}

// Times are kept in whole seconds.
func TestStore_Save_Seconds(t *testing.T) {
	s, _ := MustOpen(t)
	c := everything()
	c.Answer = 1999 * time.Millisecond
	if err := s.Save(t.Context(), MustLoad(t, s), c, nil, audit.Entry{}); err != nil {
		t.Fatal(err)
	}
	if got := MustLoad(t, s).Answer; got != time.Second {
		t.Errorf("got %v, want 1s", got)
	}
}

// An entry about what changed no setting stands alone.
func TestStore_AppendAudit(t *testing.T) {
	s, trail := MustOpen(t)
	entry := audit.Entry{Event: audit.ConnectionTested, Detail: "nome=certo"}
	if err := s.AppendAudit(t.Context(), entry); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]audit.Entry{entry}, trail.entries); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := MustLoad(t, s); !got.UpdatedAt.IsZero() {
		t.Errorf("got %+v saved", got)
	}
	trail.err = errors.New("trail")
	if err := s.AppendAudit(t.Context(), entry); !errors.Is(err, trail.err) {
		t.Errorf("got %v, want the trail's error", err)
	}
}

// A database that cannot be read or written says so.
func TestStore_Broken(t *testing.T) {
	for name, statement := range map[string]string{
		"Settings": `DROP TABLE connection`,
		"Secrets":  `DROP TABLE connection_secret`,
		"Column":   `ALTER TABLE connection DROP COLUMN features`,
	} {
		t.Run(name, func(t *testing.T) {
			db := MustOpenDB(t)
			s := connectionstore.New(db, &trail{})
			secret := connection.Sealed{Method: connection.APIKey, Origin: "https://a:443", Bytes: []byte{1}, StoredAt: now}
			if err := db.Write(t.Context(), func(tx *engine.Tx) error {
				_, err := tx.Exec(t.Context(), statement)
				return err
			}); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Load(t.Context()); err == nil {
				t.Error("load: got no error")
			}
			err := s.Save(t.Context(), connection.Stored{}, everything(), &secret, audit.Entry{})
			if err == nil || errors.Is(err, connection.ErrStale) {
				t.Error("save: got no error")
			}
		})
	}
}
