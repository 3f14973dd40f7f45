package problem_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"strings"
	"testing"

	"guiche/internal/problem"
)

func TestCodeOf(t *testing.T) {
	for _, tt := range []struct {
		name string
		err  error
		want problem.Code
	}{
		{"Nil", nil, ""},
		{"Other", errors.New("disk"), problem.Internal},
		{"Problem", problem.New(problem.NotFound, "Não encontrado."), problem.NotFound},
		{"Wrapped", fmt.Errorf("open case: %w", problem.New(problem.Conflict, "Já existe.")), problem.Conflict},
		{"Joined", errors.Join(errors.New("disk"), problem.New(problem.Conflict, "Já existe.")), problem.Conflict},
		{"CauseOfAnother", problem.Wrap(problem.Unavailable, "Tente de novo.", problem.New(problem.NotFound, "")), problem.Unavailable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := problem.CodeOf(tt.err); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			for _, code := range []problem.Code{problem.Internal, problem.NotFound, problem.Conflict, problem.Unavailable} {
				if got := problem.Is(tt.err, code); got != (code == tt.want) {
					t.Errorf("Is(%s): got %v", code, got)
				}
			}
		})
	}
}

func TestError_Error(t *testing.T) {
	cause := errors.New("cause")
	err := problem.Wrap(problem.Invalid, "Nome “Fulana” inválido.", cause)
	err.Fields = []problem.Field{{Path: "nome", Code: "formato", Message: "Fulana"}, {Path: "anexos[0]", Code: "tipo"}}
	if got, want := err.Error(), "invalido, nome formato, anexos[0] tipo: cause"; got != want {
		t.Errorf("got %q, want %q: the message may quote what was typed", got, want)
	}
	if got := problem.New(problem.NotFound, "Não encontrado.").Error(); got != "nao_encontrado" {
		t.Errorf("got %q, want the code alone", got)
	}
	if !errors.Is(err, cause) || !errors.Is(err, problem.New(problem.Invalid, "")) || errors.Is(err, problem.New(problem.NotFound, "")) {
		t.Error("errors.Is does not follow cause and code")
	}
	if errors.Is(err, errors.New("invalido")) {
		t.Error("got an error of another kind taken for this one")
	}
}

func TestError_LogValue(t *testing.T) {
	var log bytes.Buffer
	err := problem.InvalidFields([]problem.Field{{Path: "nome", Code: "formato", Message: "“Fulana” é curto."}})
	slog.New(slog.NewTextHandler(&log, nil)).Info("refused", "cause", err)
	if got := log.String(); !strings.Contains(got, `cause="invalido, nome formato"`) || strings.Contains(got, "Fulana") {
		t.Errorf("got %s, want code and path without the message", got)
	}
}

func TestInvalidFields(t *testing.T) {
	for _, none := range [][]problem.Field{nil, {}} {
		if err := problem.InvalidFields(none); err != nil {
			t.Errorf("got %v, want nil of no fields", err)
		}
	}
	fields := []problem.Field{{Path: "a"}, {Path: "b"}}
	err := problem.InvalidFields(fields)
	var p *problem.Error
	if !errors.As(err, &p) || p.Code != problem.Invalid || p.Message == "" {
		t.Errorf("got %+v, want an invalid request with a message", p)
	}
	if got := problem.FieldsOf(fmt.Errorf("x: %w", err)); !reflect.DeepEqual(got, fields) {
		t.Errorf("got %v, want %v", got, fields)
	}
	for _, err := range []error{nil, errors.New("disk"), problem.New(problem.NotFound, "")} {
		if got := problem.FieldsOf(err); got != nil {
			t.Errorf("%v: got %v, want no fields", err, got)
		}
	}
}

// TestAfterAct: once something was done, nothing says that the same may be done again.
func TestAfterAct(t *testing.T) {
	if err := problem.AfterAct(nil); err != nil {
		t.Errorf("of none: got %v", err)
	}
	for code, want := range map[problem.Code]problem.Code{
		problem.NoSpace: problem.Internal, problem.Busy: problem.Internal, problem.Conflict: problem.Conflict, problem.NotFound: problem.NotFound,
	} {
		cause := fmt.Errorf("x: %w", problem.New(code, "Tente de novo."))
		err := problem.AfterAct(cause)
		if got := problem.CodeOf(err); got != want || !errors.Is(err, cause) || problem.Passing(err) {
			t.Errorf("%s: got %s with %v, want %s", code, got, err, want)
		}
	}
}

func TestIsChanged(t *testing.T) {
	changed := problem.FieldsOf(fmt.Errorf("x: %w", problem.NewChanged()))
	if !problem.IsChanged(changed) || problem.IsChanged(nil) || problem.IsChanged([]problem.Field{{Path: "nome", Code: "formato"}}) {
		t.Errorf("got %+v, want those of NewChanged alone", changed)
	}
}
