package directorystore_test

import (
	"context"
	"errors"
	"testing"

	"guiche/internal/directory"
)

// telling is one unit that a replica is told of, kept when the test says what becomes of it.
type telling struct {
	unit directory.Unit
	end  chan error
}

// replica passes on what it is told of units.
type replica chan telling

func (r replica) ReplicateUnit(ctx context.Context, u directory.Unit) error {
	told := telling{u, make(chan error, 1)}
	select {
	case r <- told:
		return <-told.end
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (r replica) ReplicateProfessional(context.Context, directory.Professional) error { return nil }

// during calls change and ends all that the replica is told meanwhile with err.
func (r replica) during(t *testing.T, err error, change func() error) (told []directory.Unit) {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- change() }()
	for {
		select {
		case one := <-r:
			told = append(told, one.unit)
			one.end <- err
		case err := <-done:
			MustDo(t, err)
			return told
		}
	}
}

// Two changes at once: although the replica is done with the earlier one last, it ends
// with the later one.
func TestDirectory_ReplicateTo_Overtaken(t *testing.T) {
	ctx, tr, r := t.Context(), MustTrailed(t), replica(make(chan telling))
	MustDo(t, tr.ReplicateTo(ctx, r))
	added := make(chan error, 1)
	go func() { added <- tr.AddUnit(ctx, admin, centro()) }()
	earlier := <-r
	r.during(t, nil, func() error { return tr.SwitchUnit(ctx, admin, unitID, false) })
	last := earlier.unit
	earlier.end <- nil
	if told := r.during(t, nil, func() error { return <-added }); len(told) > 0 {
		last = told[len(told)-1]
	}
	if last.Active {
		t.Errorf("it is left with %+v, want the unit off", last)
	}
}

// A change that the replica cannot be told of is kept all the same, and told later, as the
// entry is by then.
func TestDirectory_CatchUp(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	tr, r, away := MustTrailed(t), replica(make(chan telling)), errors.New("away")
	MustDo(t, tr.ReplicateTo(ctx, r))
	r.during(t, away, func() error { return tr.AddUnit(ctx, admin, centro()) })
	r.during(t, away, func() error { return tr.SwitchUnit(ctx, admin, unitID, false) })

	var late []error
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		tr.CatchUp(ctx, func(err error) { late = append(late, err) })
	}()
	for _, becomes := range []error{away, away, nil} {
		told := <-r
		if told.unit.UID != unitID || told.unit.Active {
			t.Errorf("it is told of %+v, want the unit off", told.unit)
		}
		told.end <- becomes
	}
	stop()
	<-ended
	if len(late) != 1 || !errors.Is(late[0], away) {
		t.Errorf("got %v, want to hear once", late)
	}
}
