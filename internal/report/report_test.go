package report_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/permission"
	"guiche/internal/problem"
	"guiche/internal/report"

	"github.com/google/uuid"
)

var (
	noon = time.Date(2026, 11, 20, 15, 0, 0, 0, time.UTC)
	ana  = permission.Actor{User: uuid.New(), Units: []uuid.UUID{uuid.New()}, Roles: []permission.Role{permission.Reception}}
)

// store remembers what it was asked; it has as many cases as it is told.
type store struct {
	cases int
	reach permission.Reach
	query report.Query
	kept  map[uuid.UUID]report.Filter
	owner uuid.UUID
	entry audit.Entry
	since time.Time

	refused error         // of Cases and Filter
	unread  error         // of Cases alone
	lost    error         // of UseFilter
	others  uuid.UUID     // a filter or a case out of reach
	told    []audit.Entry // apart from what was used
	failure error         // of looking for it
}

func (s *store) Cases(_ context.Context, reach permission.Reach, q report.Query) ([]report.Row, report.Choices, error) {
	s.reach, s.query = reach, q
	all := make([]report.Row, min(s.cases, q.Limit))
	for i := range all {
		all[i].UID = uuid.UUID{byte(i + 1)}
	}
	return all, report.Choices{Units: []report.Choice{{Name: "Centro"}}}, errors.Join(s.refused, s.unread)
}

func (s *store) Choices(_ context.Context, reach permission.Reach) (report.Choices, error) {
	s.reach = reach
	return report.Choices{}, nil
}

func (s *store) KeepFilter(_ context.Context, owner, uid uuid.UUID, f report.Filter) error {
	s.owner, s.kept = owner, map[uuid.UUID]report.Filter{uid: f}
	return nil
}

func (s *store) Filter(_ context.Context, owner, uid uuid.UUID) (report.Filter, error) {
	s.owner = owner
	return s.kept[uid], s.refused
}

func (s *store) UseFilter(_ context.Context, _ uuid.UUID, entry audit.Entry) error {
	s.entry = entry
	if errors.Is(s.lost, errPanic) {
		panic(s.lost)
	}
	return s.lost
}

// errPanic is an error that a store panics with.
var errPanic = errors.New("a store panics")

func (s *store) HasFilter(_ context.Context, uid uuid.UUID) (bool, error) { return s.has(uid) }

func (s *store) HasCase(_ context.Context, uid uuid.UUID) (bool, error) { return s.has(uid) }

func (s *store) has(uid uuid.UUID) (bool, error) { return uid == s.others, s.failure }

func (s *store) AppendAudit(_ context.Context, entry audit.Entry) error {
	s.told = append(s.told, entry)
	return nil
}

func (s *store) SweepFilters(_ context.Context, since time.Time) (int, error) {
	s.since = since
	return 0, nil
}

func MustHistory(tb testing.TB) (*report.History, *store) {
	tb.Helper()
	s := &store{}
	zone, err := time.LoadLocation("America/Sao_Paulo")
	MustDo(tb, err)
	h, err := report.New(report.Config{Store: s, Clock: func() time.Time { return noon }, Zone: zone})
	MustDo(tb, err)
	return h, s
}

// alone runs what reads by itself.
func alone(tb testing.TB) func(func(context.Context) error) error {
	tb.Helper()
	return func(read func(context.Context) error) error { return read(tb.Context()) }
}

func MustDo(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func TestHistory_Parse(t *testing.T) {
	h, _ := MustHistory(t)
	unit := uuid.New()
	for _, tc := range []struct {
		name string
		form report.Form
		want report.Filter
	}{
		{"Nothing", report.Form{}, report.Filter{}},
		{"Spaces", report.Form{From: " ", Text: " \t"}, report.Filter{}},
		{"Days", report.Form{From: "1/11/26", Until: "20112026"},
			report.Filter{From: authorization.DateOf(2026, 11, 1), Until: authorization.DateOf(2026, 11, 20)}},
		{"OneDay", report.Form{From: "20/11/2026", Until: "20/11/2026"},
			report.Filter{From: authorization.DateOf(2026, 11, 20), Until: authorization.DateOf(2026, 11, 20)}},
		{"Month", report.Form{From: "11/2026", Until: "11/2026"},
			report.Filter{From: authorization.DateOf(2026, 11, 1), Until: authorization.DateOf(2026, 11, 30)}},
		{"Group", report.Form{Situation: "neg"}, report.Filter{Situation: report.Situation{Group: authorization.Refusal}}},
		{"WithoutAnswer", report.Form{Situation: "sem-resposta"}, report.Filter{Situation: report.Situation{Unknown: true}}},
		{"Code", report.Form{Situation: "-"}, report.Filter{Situation: report.Situation{Status: authorization.NotApplicable}}},
		{"Unit", report.Form{Unit: unit.String()}, report.Filter{Unit: unit}},
		{"Text", report.Form{Text: " d'Ávila \"NEAR(\x00\xff "}, report.Filter{Text: `d'Ávila "NEAR(`}},
		{"TextAsLongAsMayBe", report.Form{Text: strings.Repeat("á", report.MaxText)}, report.Filter{Text: strings.Repeat("á", report.MaxText)}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, err := h.Parse(tc.form)
			if got != tc.want || err != nil {
				t.Errorf("got %+v, %v, want %+v", got, err, tc.want)
			}
			if tc.form == (report.Form{}) && got.Form() != tc.form {
				t.Errorf("shown as %+v", got.Form())
			}
			if again, err := h.Parse(got.Form()); again != got || err != nil {
				t.Errorf("shown and sent again: got %+v, %v, want the same", again, err)
			}
		})
	}
}

func TestHistory_Parse_Problems(t *testing.T) {
	h, _ := MustHistory(t)
	for _, tc := range []struct {
		name string
		form report.Form
		want []string
	}{
		{"NoSuchDay", report.Form{From: "31/02/2026"}, []string{"de"}},
		{"NoDay", report.Form{Until: "ontem"}, []string{"ate"}},
		{"EndBeforeBeginning", report.Form{From: "20/11/2026", Until: "19/11/2026"}, []string{"ate"}},
		{"NoSuchSituation", report.Form{Situation: "vezes"}, []string{"situacao"}},
		{"GarbledChoices", report.Form{Credential: "x", Unit: "' OR 1", Sender: "-"}, []string{"operadora", "unidade", "usuario"}},
		{"TextTooLong", report.Form{Text: strings.Repeat("á", report.MaxText+1)}, []string{"texto"}},
		{"AllAtOnce", report.Form{From: "x", Until: "y", Situation: "zz", Unit: "w"}, []string{"de", "ate", "unidade", "situacao"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := h.Parse(tc.form)
			var got []string
			for _, f := range problem.FieldsOf(err) {
				got = append(got, f.Path)
			}
			if !slices.Equal(got, tc.want) {
				t.Errorf("fields: got %v, want %v", got, tc.want)
			}
		})
	}
}

// Every situation that the page offers is read back as itself.
func TestParseSituation(t *testing.T) {
	all := report.Situations()
	for _, s := range authorization.Statuses() {
		all = append(all, report.Situation{Status: s.Code})
	}
	if len(all) != 8+18 {
		t.Errorf("got %d situations, want the seven groups, the lack of an answer and 18 codes", len(all))
	}
	for _, want := range all {
		if got, ok := report.ParseSituation(want.Word()); got != want || !ok || want == (report.Situation{}) {
			t.Errorf("%q: got %+v, %v, want %+v", want.Word(), got, ok, want)
		}
	}
}

func TestHistory_Cases(t *testing.T) {
	h, s := MustHistory(t)
	for _, tc := range []struct {
		name     string
		cases    int
		want     int
		wantNext uuid.UUID
	}{{"None", 0, 0, uuid.Nil}, {"JustAPage", 50, 50, uuid.Nil}, {"More", 51, 50, uuid.UUID{50}}} {
		t.Run(tc.name, func(t *testing.T) {
			s.cases = tc.cases
			got, err := h.Cases(t.Context(), ana, report.Filter{}, uuid.Nil)
			if len(got.Cases) != tc.want || got.Next != tc.wantNext || err != nil {
				t.Errorf("got %d cases, next %v, %v; want %d, %v", len(got.Cases), got.Next, err, tc.want, tc.wantNext)
			}
			if len(got.Choices.Units) != 1 {
				t.Errorf("got %+v, want the choices of the same moment", got.Choices)
			}
		})
	}
	t.Run("DaysOfTheZone", func(t *testing.T) {
		day := authorization.DateOf(2026, 11, 20)
		_, err := h.Cases(t.Context(), ana, report.Filter{From: day, Until: day}, uuid.Nil)
		MustDo(t, err)
		since, before := time.Date(2026, 11, 20, 3, 0, 0, 0, time.UTC), time.Date(2026, 11, 21, 3, 0, 0, 0, time.UTC)
		if !s.query.Since.Equal(since) || !s.query.Before.Equal(before) {
			t.Errorf("got %v to %v, want %v to %v", s.query.Since, s.query.Before, since, before)
		}
	})
	t.Run("Reach", func(t *testing.T) {
		if _, err := h.Cases(t.Context(), ana, report.Filter{}, uuid.Nil); err != nil || s.reach.All || !slices.Equal(s.reach.Units, ana.Units) {
			t.Errorf("recepção: got %+v, %v, want their units", s.reach, err)
		}
		celia := permission.Actor{User: uuid.New(), Roles: []permission.Role{permission.Supervision}}
		if _, err := h.Cases(t.Context(), celia, report.Filter{}, uuid.Nil); err != nil || !s.reach.All {
			t.Errorf("supervisão: got %+v, %v, want all", s.reach, err)
		}
	})
}

func TestHistory_Search(t *testing.T) {
	h, s := MustHistory(t)
	filter := report.Filter{Text: "helena"}
	uid, err := h.Keep(t.Context(), ana, filter)
	MustDo(t, err)
	if uid.Version() != 4 {
		t.Errorf("address of version %d, want 4: random, without a time in it", uid.Version())
	}
	s.cases = 3
	got, page, err := h.Search(t.Context(), ana, uid, uuid.Nil, alone(t))
	if got != filter || s.owner != ana.User || s.query.Filter != filter || len(page.Cases) != 3 || err != nil {
		t.Errorf("got %+v of %v by %+v, %v", got, s.owner, s.query, err)
	}
	want := audit.Entry{At: noon, Actor: ana.User, Event: "historico.buscado", Object: "filtro", ObjectID: uid}
	if s.entry != want {
		t.Errorf("entry: got %+v, want %+v", s.entry, want)
	}
}

// TestHistory_Search_Untold: what the trail cannot tell of is not shown.
func TestHistory_Search_Untold(t *testing.T) {
	for _, lost := range []error{errors.New("disk"), errPanic} {
		h, s := MustHistory(t)
		s.cases, s.lost = 3, lost
		_, page, err := h.Search(t.Context(), ana, uuid.New(), uuid.Nil, alone(t))
		if err == nil || !strings.Contains(err.Error(), lost.Error()) || len(page.Cases) > 0 {
			t.Errorf("got %d cases, %v", len(page.Cases), err)
		}
	}
}

// TestHistory_Search_Unread: a list that cannot be read is not an empty one.
func TestHistory_Search_Unread(t *testing.T) {
	h, s := MustHistory(t)
	s.unread = errors.New("disk")
	if _, _, err := h.Search(t.Context(), ana, uuid.New(), uuid.Nil, alone(t)); !errors.Is(err, s.unread) {
		t.Errorf("got %v, want %v", err, s.unread)
	}
}

func TestHistory_Forbidden(t *testing.T) {
	h, s := MustHistory(t)
	for name, actor := range map[string]permission.Actor{"Administration": {User: uuid.New()},
		"Nobody": {Roles: []permission.Role{permission.Reception}}} {
		t.Run(name, func(t *testing.T) {
			_, casesErr := h.Cases(t.Context(), actor, report.Filter{}, uuid.Nil)
			_, choicesErr := h.Choices(t.Context(), actor)
			_, keepErr := h.Keep(t.Context(), actor, report.Filter{})
			_, _, searchErr := h.Search(t.Context(), actor, uuid.New(), uuid.Nil, alone(t))
			if s.entry != (audit.Entry{}) {
				t.Errorf("the trail tells of a search: %+v", s.entry)
			}
			for i, err := range []error{casesErr, choicesErr, keepErr, searchErr} {
				if !problem.Is(err, problem.Forbidden) {
					t.Errorf("call %d: got %v, want forbidden", i, err)
				}
			}
		})
	}
}

func TestHistory_Run(t *testing.T) {
	h, s := MustHistory(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	h.Run(ctx) // sweeps once before it looks whether to go on
	if want := noon.AddDate(0, 0, -30); !s.since.Equal(want) {
		t.Errorf("swept what was not used since %v, want %v", s.since, want)
	}
}

// TestHistory_Denied: of somebody else's filter and of a case out of reach the trail
// tells who asked; of what is not there it does not.
func TestHistory_Denied(t *testing.T) {
	there, failure := uuid.New(), errors.New("disk")
	missing := problem.New(problem.NotFound, "")
	for name, tt := range map[string]struct {
		refused, failure error
		uid              uuid.UUID
		want             error
		told             bool
	}{
		"Others":     {missing, nil, there, missing, true},
		"Nothing":    {missing, nil, uuid.New(), missing, false},
		"OtherError": {failure, nil, there, failure, false},
		"NotLooked":  {missing, failure, there, failure, false},
		"Own":        {nil, nil, there, nil, false},
	} {
		for _, what := range []struct {
			object, detail string
			ask            func(h *report.History) error
		}{
			{audit.ObjectFilter, "alcance=pessoa", func(h *report.History) error {
				_, _, err := h.Search(t.Context(), ana, tt.uid, uuid.Nil, alone(t))
				return err
			}},
			{audit.ObjectCase, "alcance=unidade", func(h *report.History) error {
				_, err := h.Cases(t.Context(), ana, report.Filter{}, tt.uid)
				return err
			}},
		} {
			t.Run(name+"/"+what.object, func(t *testing.T) {
				h, s := MustHistory(t)
				s.refused, s.failure, s.others = tt.refused, tt.failure, there
				if err := what.ask(h); !errors.Is(err, tt.want) {
					t.Errorf("got %v, want %v", err, tt.want)
				}
				var want []audit.Entry
				if tt.told {
					want = []audit.Entry{{At: noon, Actor: ana.User, Event: audit.AccessDenied, Object: what.object, ObjectID: tt.uid,
						Detail: what.detail}}
				}
				if !slices.Equal(s.told, want) {
					t.Errorf("the trail has %+v, want %+v", s.told, want)
				}
			})
		}
	}
}
