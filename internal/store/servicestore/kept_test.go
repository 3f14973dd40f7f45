package servicestore_test

import (
	"crypto/sha256"
	"errors"
	"slices"
	"strings"
	"testing"

	"guiche/internal/authorization"
	"guiche/internal/blob"
	"guiche/internal/problem"
	"guiche/internal/service"
	"guiche/internal/store/engine"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

// TestStore_AttachmentBlobs: what came with a request is named in its order, and what is not
// there has nothing.
func TestStore_AttachmentBlobs(t *testing.T) {
	f := MustStore(t)
	want := []blob.Ref{blob.Ref(strings.Repeat("c", 64)), blob.Ref(strings.Repeat("a", 64))}
	e := f.request("g")
	e.Request.Attachments = nil
	for _, ref := range want {
		e.Request.Attachments = append(e.Request.Attachments, authorization.Attachment{Name: "a.pdf", Size: 3, Blob: ref})
	}
	id := f.mustReceive(t, e).ID
	f.mustReceive(t, f.request("h"))
	if got, err := f.AttachmentBlobs(t.Context(), id); err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	if got, err := f.AttachmentBlobs(t.Context(), uuid.New()); err != nil || len(got) > 0 {
		t.Errorf("of no request: got %v, %v", got, err)
	}
}

// TestStore_AddAction_Unknown: an action of nobody, or on nothing, is not found, and is not
// kept.
func TestStore_AddAction_Unknown(t *testing.T) {
	f := MustStore(t)
	guide := f.mustAnswer(t, f.mustReceive(t, f.request("g")).ID, "A")[0]
	nobody := f.action(guide)
	nobody.Caller.ProfileID = uuid.New()
	for name, a := range map[string]service.Action{"of nobody": nobody, "on nothing": f.action(uuid.New())} {
		if _, _, err := f.AddAction(t.Context(), a); !problem.Is(err, problem.NotFound) {
			t.Errorf("%s: got %v, want %s", name, err, problem.NotFound)
		}
		if _, err := f.Action(t.Context(), a.ID); !problem.Is(err, problem.NotFound) {
			t.Errorf("%s: afterwards got %v, want %s", name, err, problem.NotFound)
		}
	}
}

// TestStore_Receive_GivenAway: a guiaId that another request has is not given away again, and
// nothing is kept of the request that would have it.
func TestStore_Receive_GivenAway(t *testing.T) {
	f := MustStore(t)
	_, guide := f.mustAccept(t, "1")
	again := f.request("2")
	again.GuideID = guide
	if _, _, err := f.Receive(t.Context(), again); !problem.Is(err, problem.Conflict) || errors.Is(err, engine.ErrAborted) {
		t.Errorf("got %v, want %s", err, problem.Conflict)
	}
	if _, err := f.Request(t.Context(), again.ID); !problem.Is(err, problem.NotFound) {
		t.Errorf("afterwards got %v, want %s", err, problem.NotFound)
	}
}

// TestStore_AddAnswer_Text: an answer that is kept without its guide is read back with where
// that stood, and by the name that the whole would have.
func TestStore_AddAnswer_Text(t *testing.T) {
	f := MustStore(t)
	for name, guide := range map[string]blob.Ref{"Guide": blob.Ref(strings.Repeat("c", 64)), "NoGuide": ""} {
		t.Run(name, func(t *testing.T) {
			id := f.mustReceive(t, f.request(name)).ID
			text := service.AnswerText{Text: []byte(`{"guia":""}`), Guide: guide, GuideAt: 9, Digest: sha256.Sum256([]byte(name))}
			must(t, f.AddAnswer(t.Context(), service.AnswerEntry{RequestID: id, At: now, Operator: "x", Answer: blob.Info{Size: 30}, Text: &text,
				Decision: service.Decision{Authorizations: []authorization.Authorization{
					{Number: 1, GuideID: uuid.NewString(), Status: "A", GuidePDF: guide}}}}))
			got, err := f.Request(t.Context(), id)
			must(t, err)
			if diff := cmp.Diff(&text, got.AnswerText); diff != "" || got.Answer != text.Name() || got.AnswerSize != 30 {
				t.Errorf("got %s of %d bytes (-want +got):\n%s", got.Answer, got.AnswerSize, diff)
			}
		})
	}
}

// TestStore_PutUnit_Others: all that is no longer listed ends, of this unit and this
// professional alone.
func TestStore_PutUnit_Others(t *testing.T) {
	f := MustStore(t)
	points := func() (all []service.CarePoint) {
		for _, name := range []string{"Coleta", "Recepção", "Triagem"} {
			all = append(all, service.CarePoint{ID: uuid.New(), Name: name})
		}
		return all
	}
	specialties := []service.Specialty{{ID: 2, Name: "Cardiologia"}, {ID: 7, Name: "Geriatria"}, {ID: 9, Name: "Pediatria"}}
	var units []service.Unit
	var doctors []service.Professional
	for _, name := range []string{"Ana", "Bia"} {
		units = append(units, service.Unit{ID: uuid.New(), Name: name, Points: points()})
		doctors = append(doctors, service.Professional{ID: uuid.New(), Name: name, Specialties: specialties})
		must(t, f.PutUnit(t.Context(), units[len(units)-1]))
		must(t, f.PutProfessional(t.Context(), doctors[len(doctors)-1]))
	}
	units[1].Points, doctors[1].Specialties = units[1].Points[1:2], specialties[1:2]
	must(t, f.PutUnit(t.Context(), units[1]))
	must(t, f.PutProfessional(t.Context(), doctors[1]))
	for i, want := range []string{"Coleta Recepção Triagem; Cardiologia Geriatria Pediatria", "Recepção; Geriatria"} {
		unit, err := f.Unit(t.Context(), units[i].ID)
		must(t, err)
		doctor, err := f.Professional(t.Context(), doctors[i].ID)
		must(t, err)
		var atPoints, in []string
		for _, p := range unit.Points {
			if !p.Disabled {
				atPoints = append(atPoints, p.Name)
			}
		}
		for _, s := range doctor.Specialties {
			if !s.Disabled {
				in = append(in, s.Name)
			}
		}
		if got := strings.Join(atPoints, " ") + "; " + strings.Join(in, " "); got != want {
			t.Errorf("%s: got %q, want %q", unit.Name, got, want)
		}
	}
}
