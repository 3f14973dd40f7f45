package conformance_test

import (
	"encoding/base64"
	"strings"

	"guiche/internal/service/conformance"
)

// section2_5Mutations are services whose authorization answer is not that of 2.5 and 3.
func section2_5Mutations() []mutation {
	page := base64.StdEncoding.EncodeToString([]byte("<!doctype html><h1>Guia</h1>"))
	all := in("Section2_5",
		answer("TopLevel", "no errors", on(authorize, drop("erros"))),
		answer("TopLevel", "errors null", on(authorize, put("erros", nil))),
		answer("TopLevel", "success as a text", on(authorize, put("sucesso", "sim"))),
		answer("Entries", "none", on(authorize, put("data.autorizacoes", []any{}))),
		answer("Entries", "null", on(authorize, put("data.autorizacoes", nil))),
		answer("Entries", "absent", on(authorize, drop("data.autorizacoes"))),
		answer("Entries", "one as an object", on(authorize, edit("data.autorizacoes", func(v any) any { return v.([]any)[0] }))),
		answer("Entries", "null behind them", on(authorize, edit("data.autorizacoes", withNull))),
		answer("SuccessOfAuthorized", "false", on(authorize, put(entries+"sucesso", false))),
		answer("EntryPerAuthorization", "the second dropped", on(authorize, when(isTwoGuides, edit("data.autorizacoes", first)))),
		answer("EntryPerAuthorization", "the first dropped", on(authorize, when(isTwoGuides, edit("data.autorizacoes", last)))),
		answer("EntryPerAuthorization", "the first twice", on(authorize, when(isTwoGuides, edit("data.autorizacoes", firstTwice)))),
		answer("EveryEntry", "a denied one without procedures", when(isDenied, drop(results))),
		answer("EveryEntry", "a denied one without a status", when(isDenied, drop(entries+"situacaoAutorizacao"))),
		answer("EveryEntry", "the second without its success", when(isTwoGuides, drop("data.autorizacoes.1.sucesso"))),
		answer("EveryEntry", "a quantity of the second as a text", when(isTwoGuides, put("data.autorizacoes.1.procedimentos.*.quantidade", "2"))),
		answer("AggregatedPDF", "absent", drop("data.pdfGuia")),
		answer("AggregatedPDF", "empty", when(isTwoGuides, put("data.pdfGuia", ""))),
		answer("AggregatedPDF", "a page of the web", when(isTwoGuides, put("data.pdfGuia", page))),
		answer("AggregatedPDF", "as an address", when(isTwoGuides, edit("data.pdfGuia", func(v any) any {
			return "data:application/pdf;base64," + v.(string)
		}))),
		answer("AggregatedPDF", "cut", when(isTwoGuides, edit("data.pdfGuia", half))),
		answer("AggregatedPDFHasAll", "the first guide only", when(isTwoGuides, guideAlone(0))),
		answer("AggregatedPDFHasAll", "the second guide only", when(isTwoGuides, guideAlone(1))),
		answer("AggregatedPDFHasAll", "the first guide in other bytes", when(isTwoGuides, guideAlone(0), edit("data.pdfGuia", padded))),
		answer("SequenceNumbers", "always 1", put(entries+"numeroAutorizacao", 1)),
		answer("SequenceNumbers", "from 0", on(authorize, put("data.autorizacoes.0.numeroAutorizacao", 0))),
		answer("SequenceNumbers", "2 before 1", on(authorize, put("data.autorizacoes.0.numeroAutorizacao", 2),
			put("data.autorizacoes.1.numeroAutorizacao", 1))),
		answer("GuideIsAPDF", "a text", put(entries+"pdfGuiaAutorizacao", "bm8gUERG")),
		answer("GuideIsAPDF", "a page of the web", put(entries+"pdfGuiaAutorizacao", page)),
		answer("GuideIsAPDF", "cut", edit(entries+"pdfGuiaAutorizacao", half)),
		answer("GuideIsAPDF", "an address", put(entries+"pdfGuiaAutorizacao", "https://guias.example/1.pdf")),
		answer("GuideOfItsOwn", "the same PDF", when(isTwoGuides, put(entries+"pdfGuiaAutorizacao", page))),
		answer("GuideOfItsOwn", "the same identifier", when(isTwoGuides, put(entries+"guiaId", otherID))),
	)
	return append(all, in("Section3",
		answer("AllowedCodes", "an unknown code", put(entries+"situacaoAutorizacao", "Q")),
		answer("AllowedCodes", "a small letter", put(entries+"situacaoAutorizacao", "a")),
		answer("AllowedCodes", "a word", put(entries+"situacaoAutorizacao", "AUTORIZADO")),
		answer("AllowedCodes", "two codes", put(entries+"situacaoAutorizacao", "A Z")),
		answer("AllowedCodes", "C for Ç where denied", when(isDenied, put(entries+"situacaoAutorizacao", "NEGADO"))),
		answer("AllowedCodes", "none in the second", when(isTwoGuides, put("data.autorizacoes.1.situacaoAutorizacao", ""))),
		answer("NameInOtherResponses", "a word", on(submit, put("data.situacao", "em análise"))),
		answer("NameInOtherResponses", "a small letter", on(submit, put("data.situacao", "r"))),
		answer("NameInOtherResponses", "a number", on(submit, put("data.statusAutorizacao", 3))),
	)...)
}

// guideAlone puts the PDF of one guide in the place of the aggregated one.
func guideAlone(i int) change {
	return func(x *traffic) {
		all := x.doc["data"].(map[string]any)["autorizacoes"].([]any)
		put("data.pdfGuia", all[i].(map[string]any)["pdfGuiaAutorizacao"])(x)
	}
}

// padded is the same PDF with white space behind it.
func padded(v any) any {
	content, _ := base64.StdEncoding.DecodeString(v.(string))
	return base64.StdEncoding.EncodeToString(append(content, '\n', '\n'))
}

// fieldMutations are services that give a field of 2.5 another type.
func fieldMutations() []mutation {
	var all []mutation
	for chapter, place := range map[string]string{"Section2_5_Entry": entries, "Section2_5_Procedure": results + ".*."} {
		for _, name := range sentencesOf(chapter) {
			all = append(all, in(chapter, answer(name, "an object", put(place+name, map[string]any{"valor": 1})))...)
		}
	}
	for _, name := range []string{"numeroAutorizacao", "sucesso", "procedimentos", "erros", "situacaoAutorizacao"} {
		all = append(all, in("Section2_5_Entry", answer(name, "absent", drop(entries+name)), answer(name, "null", put(entries+name, nil)))...)
	}
	for _, name := range []string{"nomeProcedimento", "codigoProcedimento", "quantidade"} {
		place := results + ".*." + name
		all = append(all, in("Section2_5_Procedure", answer(name, "absent", drop(place)), answer(name, "null", put(place, nil)))...)
	}
	return append(all, typeMutations()...)
}

// typeMutations are services that write a value in another form.
func typeMutations() []mutation {
	all := in("Section2_5_Entry",
		answer("numeroAutorizacao", "a text", put(entries+"numeroAutorizacao", "1")),
		answer("numeroAutorizacao", "with decimals", put(entries+"numeroAutorizacao", 1.5)),
		answer("sucesso", "a letter", put(entries+"sucesso", "S")),
		answer("procedimentos", "the only one as an object", put(results, map[string]any{"codigoProcedimento": "1"})),
		answer("validadeSenha", "as Brazilians write it", put(entries+"validadeSenha", "31/12/2026")),
		answer("validadeSenha", "a date alone", put(entries+"validadeSenha", "2026-12-31")),
		answer("validadeSenha", "seconds since 1970", put(entries+"validadeSenha", 1798675200)),
		answer("dataAutorizacao", "as Brazilians write it", put(entries+"dataAutorizacao", "21/11/2026 10:00")),
		answer("senha", "a number", put(entries+"senha", 313148793)),
		answer("numeroGuia", "a number", put(entries+"numeroGuia", 133206435)),
		answer("protocolo", "a number", put(entries+"protocolo", 375216562803)),
		answer("guiaId", "no UUID", put(entries+"guiaId", "guia-1")),
		answer("pdfGuiaAutorizacao", "in the alphabet of URLs", edit(entries+"pdfGuiaAutorizacao", func(v any) any {
			return strings.NewReplacer("+", "-", "/", "_").Replace(v.(string))
		})),
		answer("situacaoAutorizacao", "a number", put(entries+"situacaoAutorizacao", 1)),
	)
	return append(all, in("Section2_5_Procedure",
		answer("quantidade", "a text", put(results+".*.quantidade", "1")),
		answer("quantidadeAutorizada", "a text", put(results+".*.quantidadeAutorizada", "1")),
		answer("quantidadeAutorizada", "with decimals", put(results+".*.quantidadeAutorizada", 0.5)),
		answer("quantidadeExecutada", "a text", put(results+".*.quantidadeExecutada", "0")),
		answer("codigoProcedimento", "a number", put(results+".*.codigoProcedimento", 40316521)),
		answer("justificativa", "a list", put(results+".*.justificativa", []any{"x"})),
		answer("mnemonico", "false", put(results+".*.mnemonico", false)),
	)...)
}

// sentencesOf names the sentences of a chapter.
func sentencesOf(chapter string) (names []string) {
	for _, c := range conformance.Specification() {
		if c.Name == chapter {
			for _, check := range c.Checks {
				names = append(names, check.Name)
			}
		}
	}
	return names
}
