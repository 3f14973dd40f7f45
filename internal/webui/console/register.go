package console

import (
	"context"
	"net/http"
	"net/url"

	"guiche/internal/audit"
	"guiche/internal/problem"
	"guiche/internal/service"
	"guiche/internal/service/admin"
	"guiche/internal/version"
	"guiche/internal/webui/form"
	"guiche/web/page"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// register is a list of the service that a desk may keep in its place: its units or its professionals.
type register[E service.Unit | service.Professional] struct {
	path, newPath string // of the list, and below it of the form of a new entry
	deskPath      string // of the desk's list, below Config.DirectoryPath
	object        string // what the trail calls an entry
	added         audit.Event
	changed       audit.Event
	off, on       switching
	ofDesk        func(DeskDirectory, context.Context) (map[uuid.UUID]bool, error) // the entries that come from the desk

	list    handler
	head    func(*E) head
	find    func(*admin.Admin, context.Context, uuid.UUID) (E, error)
	check   func(*admin.Admin, E) error
	put     func(*admin.Admin, context.Context, E) error
	change  func(*admin.Admin, context.Context, uuid.UUID, func(E) (E, error)) error
	form    func(kept E) *form.Form
	read    func(f *form.Form, kept E) E
	show    func(k *console, c echo.Context, kept E, f *form.Form) error
	replica func(k *console, kept E) page.ReplicaEntryView // of an entry that comes from the desk
}

// head is what all entries have, in the entry itself.
type head struct {
	id       *uuid.UUID
	name     *string
	disabled *bool
}

// routes are the addresses of the list and below. Where a desk keeps the list, those that add lead
// to the desk's pages.
func (r register[E]) routes(k *console) []Route {
	const get, post = http.MethodGet, http.MethodPost
	entry := r.path + "/:uid"
	return append([]Route{
		{get, r.path, k.serve(r.list)},
		{post, r.path, k.serve(r.list)},
		{get, r.path + r.newPath, k.serve(fresh(r.deskPath, r.newEntry))},
		{post, r.path + r.newPath, k.serve(fresh(r.deskPath, r.addEntry))},
		{get, entry, k.serve(r.entry)},
		{post, entry, k.serve(r.changeEntry)},
	}, k.switches(entry, r.object, r.off, r.on, r.switchable)...)
}

// newEntry shows the form of a new entry.
func (r register[E]) newEntry(k *console, c echo.Context) error {
	var none E
	return r.show(k, c, none, r.form(none))
}

// addEntry takes the form of a new entry.
func (r register[E]) addEntry(k *console, c echo.Context) error {
	var none E
	return r.keep(k, c, none, uuid.Must(uuid.NewV7()), r.added)
}

// entry shows the form of an entry, or what of it comes from the desk.
func (r register[E]) entry(k *console, c echo.Context) error {
	kept, err := r.named(k, c)
	if err != nil {
		return err
	}
	ofDesk, err := k.ofDesk(c, r.ofDesk)
	if err != nil {
		return err
	}
	if h := r.head(&kept); ofDesk[*h.id] {
		return k.showReplica(c, *h.name, r.replica(k, kept))
	}
	return r.show(k, c, kept, r.form(kept))
}

// changeEntry takes the form of an entry.
func (r register[E]) changeEntry(k *console, c echo.Context) error {
	kept, err := r.toChange(k, c)
	if err != nil {
		return err
	}
	return r.keep(k, c, kept, *r.head(&kept).id, r.changed)
}

// named is the entry that the address names, a problem.NotFound error for an identifier that cannot
// be read or is not known.
func (r register[E]) named(k *console, c echo.Context) (kept E, err error) {
	uid, err := param(c, "uid")
	if err != nil {
		return kept, err
	}
	return r.find(k.admin, c.Request().Context(), uid)
}

// toChange is named with a problem.Conflict error for what comes from the desk.
func (r register[E]) toChange(k *console, c echo.Context) (E, error) {
	kept, err := r.named(k, c)
	if err != nil {
		return kept, err
	}
	ofDesk, err := k.ofDesk(c, r.ofDesk)
	if err == nil && ofDesk[*r.head(&kept).id] {
		err = errFromDesk()
	}
	return kept, err
}

// keep reads a form over what is kept, the zero entry for a new one, checks it, notes the intent and
// keeps it: over what is kept by then.
func (r register[E]) keep(k *console, c echo.Context, kept E, id uuid.UUID, event audit.Event) error {
	values, err := k.web.Posted(c)
	if err != nil {
		return err
	}
	f := form.New(values)
	r.read(f, kept)
	if f.RowsChanged() {
		return r.show(k, c, kept, f)
	}
	change := func(now E) (E, error) {
		kept = now
		return r.typed(k, values, now)
	}
	if _, err = change(kept); err == nil {
		intent := audit.Entry{Event: event, Object: r.object, ObjectID: id}
		err = k.act(c, intent, func(ctx context.Context) error { return r.write(ctx, k, kept, id, change) })
	}
	if fields := problem.FieldsOf(err); len(fields) > 0 {
		f.Add(fields...)
		return r.show(k, c, kept, f)
	}
	if err != nil {
		return err
	}
	return k.web.Afterwards(c, directorySaved, r.entryPath(id))
}

// typed is what a form makes of an entry, with what of it must not be kept.
func (r register[E]) typed(k *console, values url.Values, kept E) (E, error) {
	f := form.New(values)
	typed := r.read(f, kept)
	if err := version.Check(f.Raw(form.VersionField), kept); err != nil {
		return typed, err
	}
	return typed, r.check(k.admin, typed)
}

// write adds an entry, or changes the one that is kept as it stands by then.
func (r register[E]) write(ctx context.Context, k *console, kept E, id uuid.UUID, change func(E) (E, error)) error {
	if *r.head(&kept).id == id {
		return r.change(k.admin, ctx, id, change)
	}
	typed, err := change(kept)
	if err != nil {
		return err
	}
	*r.head(&typed).id = id
	return r.put(k.admin, ctx, typed)
}

// switchable finds the entry that is to be turned off or on.
func (r register[E]) switchable(k *console, c echo.Context) (switchable, error) {
	kept, err := r.toChange(k, c)
	id := *r.head(&kept).id
	return switchable{id: id, page: r.entryPath(id), turn: func(ctx context.Context, disabled bool) error {
		return r.change(k.admin, ctx, id, func(now E) (E, error) {
			*r.head(&now).disabled = disabled
			return now, nil
		})
	}}, err
}

// entryPath is the address of an entry.
func (r register[E]) entryPath(id uuid.UUID) string { return r.path + "/" + id.String() }
