package page

import (
	"slices"
	"strconv"
	"strings"

	"guiche/web/component"
)

// inputFor names the input that corrects a field without an input of its own.
var inputFor = map[string]string{"credencialId": "Busca", "procedimentos": "procedimentos[0].codigoProcedimento", "anexos": "arquivo"}

// screenOrder are the fields as they follow one another on the screen.
var screenOrder = []string{
	"credencialId", "nomeBeneficiario", "numeroCarteira", "validadeCarteira", "planoBeneficiario", "pacienteNoLocal", "atendimentoRN",
	"nomeRecemNascido", "dataNascimentoRecemNascido", "nomeSolicitante", "siglaConselhoSolicitante", "crmSolicitante", "ufSolicitante",
	"profissionalExecutanteId", "especialidadeExecutanteId", "unidadeId", "pontoAtendimentoId", "procedimentos", "anexos",
	"regimeAtendimento", "tipoAtendimento", "tipoAcidente", "indicacaoClinica", "observacoes",
	"nomeContato", "dddContato", "telefoneContato", "emailContato", "retorno",
}

// rowOrder are the fields of a procedure, likewise.
var rowOrder = []string{"codigoProcedimento", "nomeProcedimento", "quantidade"}

// screenPlace is where a field stands: among the fields, in its list, in its row. What
// has no field comes last.
func screenPlace(name string) []int {
	list, rest, _ := strings.Cut(name, "[")
	index, cell, _ := strings.Cut(rest, "].")
	row, err := strconv.Atoi(index)
	if err != nil {
		row = -1
	}
	place := slices.Index(screenOrder, list)
	if place < 0 {
		place = len(screenOrder)
	}
	return []int{place, row, slices.Index(rowOrder, cell)}
}

// summary is the problems in the order of the screen, each with the input that its link
// leads to.
func (m FormView) summary() []component.Problem {
	if m.State.Refused != "" {
		return []component.Problem{{Message: m.State.Refused}}
	}
	lines := slices.Clone(m.Problems)
	slices.SortStableFunc(lines, func(a, b component.Problem) int { return slices.Compare(screenPlace(a.Name), screenPlace(b.Name)) })
	for i, p := range lines {
		list, _, _ := strings.Cut(p.Name, "[") // of one attachment, as of all
		if input, ok := inputFor[p.Name]; ok {
			lines[i].Name = input
		} else if list == "anexos" {
			lines[i].Name = inputFor[list]
		}
	}
	return lines
}

// summaryTitle heads the error summary; "" when nothing is wrong.
func (m FormView) summaryTitle() string {
	switch n := len(m.Problems); {
	case m.State.Unsent:
		return "Ainda não enviado"
	case m.State.Refused != "":
		return "Ainda não salvo"
	case n == 0:
		return ""
	case m.Objected:
		return "Apontado no pedido anterior"
	case n == 1:
		return "Corrija 1 campo para enviar"
	default:
		return "Corrija " + strconv.Itoa(n) + " campos para enviar"
	}
}
