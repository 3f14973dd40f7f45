package desk_test

import (
	"testing"

	"guiche/internal/authorization"
	"guiche/internal/desk"
)

// TestForm_Untouched: a form that shows what it showed when it was opened makes no draft.
func TestForm_Untouched(t *testing.T) {
	opened := desk.Form{Values: map[string]string{"unidadeId": "u", "pacienteNoLocal": "S"}}
	for name, tc := range map[string]struct {
		values map[string]string
		rows   []desk.ProcedureRow
		want   bool
	}{
		"Nothing":       {nil, nil, true},
		"AsOpened":      {map[string]string{"unidadeId": "u", "pacienteNoLocal": "S", "observacoes": ""}, nil, true},
		"Defaults":      {map[string]string{"tipoAcidente": "9", "regimeAtendimento": "E", "tipoAtendimento": "05"}, nil, true},
		"BoxNotTicked":  {map[string]string{"pacienteNoLocal": "N", "retorno": "N"}, nil, true},
		"BlankRow":      {nil, []desk.ProcedureRow{{}}, true},
		"Typed":         {map[string]string{"nomeBeneficiario": "M"}, nil, false},
		"Changed":       {map[string]string{"unidadeId": "v"}, nil, false},
		"BoxTicked":     {map[string]string{"retorno": "S"}, nil, false},
		"OtherRegime":   {map[string]string{"regimeAtendimento": "U"}, nil, false},
		"OtherAccident": {map[string]string{"tipoAcidente": "0"}, nil, false},
		"Row":           {nil, []desk.ProcedureRow{{Code: "4"}}, false},
	} {
		if got := (desk.Form{Values: tc.values, Procedures: tc.rows}).Untouched(opened); got != tc.want {
			t.Errorf("%s: got %v, want %v", name, got, tc.want)
		}
	}
}

// TestForm_Equal: what a browser posts again is no change.
func TestForm_Equal(t *testing.T) {
	typed := desk.Form{Values: map[string]string{"observacoes": "a\nb", "retorno": "N"}, Procedures: []desk.ProcedureRow{{Code: "4"}}}
	for name, tc := range map[string]struct {
		values map[string]string
		rows   []desk.ProcedureRow
		want   bool
	}{
		"PostedAgain": {map[string]string{"observacoes": "a\r\nb", "regimeAtendimento": "E"}, typed.Procedures, true},
		"Value":       {map[string]string{"observacoes": "a b"}, typed.Procedures, false},
		"Row":         {typed.Values, []desk.ProcedureRow{{Code: "5"}}, false},
	} {
		if got := typed.Equal(desk.Form{Values: tc.values, Procedures: tc.rows}); got != tc.want {
			t.Errorf("%s: got %v, want %v", name, got, tc.want)
		}
	}
}

// TestForm_OnlyWho: a form says whether it holds more than whom it is for and who attends.
func TestForm_OnlyWho(t *testing.T) {
	for name, tt := range map[string]struct {
		values map[string]string
		rows   []desk.ProcedureRow
		want   bool
	}{
		"Nothing":      {nil, nil, true},
		"Known":        {map[string]string{"credencialId": "x", "numeroCarteira": "0310", "unidadeId": "y", "pacienteNoLocal": "S"}, nil, true},
		"EmptyRow":     {map[string]string{"nomeBeneficiario": "Maria"}, []desk.ProcedureRow{{Quantity: "1"}}, true},
		"Default":      {map[string]string{"regimeAtendimento": authorization.DefaultCareRegime}, nil, true},
		"OtherRegime":  {map[string]string{"regimeAtendimento": authorization.DefaultCareRegime + "x"}, nil, false},
		"Notes":        {map[string]string{"nomeBeneficiario": "Maria", "observacoes": "conferir"}, nil, false},
		"Procedure":    {map[string]string{"nomeBeneficiario": "Maria"}, []desk.ProcedureRow{{Code: "40901122"}}, false},
		"ProcedureToo": {nil, []desk.ProcedureRow{{}, {Name: "US"}}, false},
	} {
		if got := (desk.Form{Values: tt.values, Procedures: tt.rows}).OnlyWho(); got != tt.want {
			t.Errorf("%s: got %v", name, got)
		}
	}
}
