package problem_test

import (
	"errors"
	"fmt"
	"testing"

	"guiche/internal/problem"
)

func TestCodeOf(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want problem.Code
	}{
		{nil, ""},
		{errors.New("disk"), problem.Internal},
		{problem.New(problem.NotFound, "Não encontrado."), problem.NotFound},
		{fmt.Errorf("open case: %w", problem.New(problem.Conflict, "Já existe.")), problem.Conflict},
	} {
		if got := problem.CodeOf(tt.err); got != tt.want {
			t.Errorf("CodeOf(%v) = %q, want %q", tt.err, got, tt.want)
		}
	}
}

func TestError_Error(t *testing.T) {
	cause := errors.New("cause")
	err := problem.Wrap(problem.Invalid, "Nome “Fulana” inválido.", cause)
	err.Fields = []problem.Field{{Path: "nome", Code: "formato", Message: "Fulana"}}
	if got, want := err.Error(), "invalido, nome formato: cause"; got != want {
		t.Errorf("got %q, want %q: the message may quote what was typed", got, want)
	}
	if !errors.Is(err, cause) || !errors.Is(err, problem.New(problem.Invalid, "")) || errors.Is(err, problem.New(problem.NotFound, "")) {
		t.Error("errors.Is does not follow cause and code")
	}
}

func TestInvalidFields(t *testing.T) {
	if err := problem.InvalidFields(nil); err != nil {
		t.Errorf("got %v, want nil of no fields", err)
	}
	err := problem.InvalidFields([]problem.Field{{Path: "a"}})
	if got := problem.FieldsOf(fmt.Errorf("x: %w", err)); len(got) != 1 || !problem.Is(err, problem.Invalid) {
		t.Errorf("got %v of %v", got, err)
	}
}
