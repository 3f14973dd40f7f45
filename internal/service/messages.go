package service

import (
	"strings"

	"guiche/internal/authorization"
	"guiche/internal/problem"
)

// messages are what a program's author reads where the rules' own sentence speaks
// to a person at a form: the property, and what it may hold. By path and code.
var messages = map[string]string{
	"credencialId obrigatorio":               "Informe credencialId, que vem da busca de credenciais.",
	"validadeCarteira obrigatorio":           "Esta credencial exige validadeCarteira, como 2027-12-31T00:00:00.",
	"dataNascimentoRecemNascido obrigatorio": "Informe dataNascimentoRecemNascido, como 2027-12-31T00:00:00.",
	"dataNascimentoRecemNascido dominio":     "dataNascimentoRecemNascido está no futuro.",
	"unidadeId obrigatorio":                  "Informe unidadeId, que vem da lista de unidades.",
	"pontoAtendimentoId obrigatorio":         "Informe pontoAtendimentoId, que vem da lista de unidades.",
	"ufSolicitante obrigatorio":              "Informe a UF do conselho do solicitante.",
	"ufSolicitante dominio":                  "ufSolicitante deve ser a sigla de um estado, como SP.",
	"siglaConselhoSolicitante obrigatorio":   "Informe o conselho do solicitante.",
	"profissionalExecutanteId obrigatorio":   "Informe profissionalExecutanteId, que vem da lista de profissionais executantes.",
	"especialidadeExecutanteId obrigatorio":  "Informe especialidadeExecutanteId, que vem da lista de profissionais executantes.",
	"tipoAcidente dominio":                   "tipoAcidente deve ser um destes: " + codes(authorization.AccidentTypes()) + ".",
	"regimeAtendimento dominio":              "regimeAtendimento deve ser um destes: " + codes(authorization.CareRegimes()) + ".",
	"tipoAtendimento dominio":                "tipoAtendimento deve ser um destes: " + codes(authorization.CareTypes()) + ".",
}

func codes(options []authorization.Option) string {
	all := make([]string, len(options))
	for i, o := range options {
		all[i] = o.Code
	}
	return strings.Join(all, ", ")
}

// forPrograms returns a problem of the rules as the service tells it.
func forPrograms(f problem.Field) problem.Field {
	if message, ok := messages[f.Path+" "+f.Code]; ok {
		f.Message = message
	}
	return f
}
