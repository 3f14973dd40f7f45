package app

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"guiche/internal/demo"
	"guiche/internal/directory"
	"guiche/internal/permission"
	"guiche/static"
)

// past is the demo's past while it is made: the pages are up, and whatever would show a
// part of it, or the clock that is set back, waits.
type past struct {
	clock    *demo.Clock
	answered func()        // the first page was
	begin    chan struct{} // closed then
	made     chan struct{} // closed when it is made
}

// headStart is how long a past waits for the first page to be asked for, which comes as
// fast as without one.
const headStart = 500 * time.Millisecond

// setBack gives the program a clock that can be set back, where a past may have to be
// made.
func (a *App) setBack() {
	if a.config.Demo && a.config.Past {
		begin := make(chan struct{})
		a.past = &past{clock: demo.NewClock(a.config.Clock), made: make(chan struct{}), begin: begin,
			answered: sync.OnceFunc(func() { close(begin) })}
		a.config.Clock = a.past.clock.Now
		a.config.Logger = slog.New(presentLog{a.config.Logger.Handler(), a.past.clock})
	}
}

// presentLog logs nothing while the clock shows another time: whoever looks for the
// address and the logins finds them.
type presentLog struct {
	slog.Handler
	clock *demo.Clock
}

// Enabled implements slog.Handler.
func (l presentLog) Enabled(ctx context.Context, level slog.Level) bool {
	return !l.clock.Elsewhere() && l.Handler.Enabled(ctx, level)
}

// WithAttrs implements slog.Handler.
func (l presentLog) WithAttrs(attrs []slog.Attr) slog.Handler {
	return presentLog{l.Handler.WithAttrs(attrs), l.clock}
}

// WithGroup implements slog.Handler.
func (l presentLog) WithGroup(name string) slog.Handler {
	return presentLog{l.Handler.WithGroup(name), l.clock}
}

// openPast has what runs beside the requests begin when the past is made, and the
// requests wait for it.
func (a *App) openPast(ctx context.Context) error {
	if a.past == nil {
		return nil
	}
	cast, err := a.cast(ctx)
	if err != nil {
		return err
	}
	missing, err := a.pastOf(cast).Missing(ctx)
	if err != nil || !missing {
		a.past = nil
		return err
	}
	for i, work := range a.background {
		a.background[i] = func(ctx context.Context) error {
			select {
			case <-a.past.made:
				return work(ctx)
			case <-ctx.Done():
				return nil
			}
		}
	}
	a.inBackground(a.makePast)
	a.wrap = a.past.await
	a.readiness = append(a.readiness, a.past.whole)
	return nil
}

// makePast makes the past. Without a whole one the demo works all the same.
func (a *App) makePast(ctx context.Context) {
	defer close(a.past.made)
	select {
	case <-a.past.begin:
	case <-time.After(headStart):
	case <-ctx.Done():
	}
	if err := a.alone(ctx, makingPast, a.makeWhole); err != nil && ctx.Err() == nil {
		a.config.Logger.ErrorContext(ctx, "the demo's past is not whole", "error", err)
	}
}

// makeWhole makes what is missing, unless another process has made it meanwhile.
func (a *App) makeWhole(ctx context.Context, _ bool) error {
	cast, err := a.cast(ctx)
	if err != nil {
		return err
	}
	if missing, err := a.pastOf(cast).Missing(ctx); err != nil || !missing {
		return err
	}
	if err := a.addTypists(ctx); err != nil {
		return err
	}
	if cast, err = a.cast(ctx); err != nil {
		return err
	}
	return a.pastOf(cast).Make(ctx)
}

// addTypists adds the receptionists of the past who have no login of the demo. Nobody
// knows their passwords.
func (a *App) addTypists(ctx context.Context) error {
	a.past.clock.Set(demo.Start(a.past.clock.Now()))
	defer a.past.clock.Return()
	for _, t := range demo.Typists() {
		unit := slices.IndexFunc(demoUnits(), func(u directory.Unit) bool { return u.Name == t.Unit })
		l := Login{Role: string(permission.Reception), User: t.Login, Password: rand.Text(), name: t.Name}
		if err := a.ensureLogin(ctx, l, demoUnits()[unit].UID); err != nil {
			return err
		}
	}
	return nil
}

// pastOf is the past that the people of the cast have.
func (a *App) pastOf(cast map[string]permission.Actor) *demo.Past {
	return demo.New(demo.Config{
		Desk: a.desk, Follow: a.embedded.service.RunDue, Clock: a.past.clock, Zone: a.config.Zone, People: cast,
		Units: demoUnits(), Professionals: demoProfessionals(), Credentials: demoCredentials(),
	})
}

// cast returns everybody who is there, by login.
func (a *App) cast(ctx context.Context) (map[string]permission.Actor, error) {
	users, err := a.data.accounts.Users(ctx)
	cast := make(map[string]permission.Actor, len(users))
	for _, u := range users {
		cast[u.Login] = u.Actor()
	}
	return cast, err
}

// whole says whether the past has been made.
func (p *past) whole(context.Context) error {
	select {
	case <-p.made:
		return nil
	default:
		return errStarting
	}
}

// await holds back what would show a past that is not whole; the entry page and its
// files come at once.
func (p *past) await(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if atOnce(r) {
			next.ServeHTTP(w, r)
			p.answered()
			return
		}
		select {
		case <-p.made:
		case <-r.Context().Done():
		}
		next.ServeHTTP(w, r)
	})
}

// atOnce reports whether a request neither shows anything of the past nor leaves
// anything in it.
func atOnce(r *http.Request) bool {
	read := r.Method == http.MethodGet || r.Method == http.MethodHead
	return read && (slices.Contains([]string{"/", "/entrar", "/healthz", "/readyz"}, r.URL.Path) ||
		strings.HasPrefix(r.URL.Path, static.Prefix))
}
