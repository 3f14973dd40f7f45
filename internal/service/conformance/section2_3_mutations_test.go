package conformance_test

import (
	"strings"
)

// section2_3Mutations are services that do not take what 2.3 and 2.4 allow, or take
// what they do not.
func section2_3Mutations() []mutation {
	all := append(strictMutations(), newbornMutations()...)
	all = append(all, in("Section2_3",
		answer("OtherCredential", "takes any credential", on(authorize, when(has("credencialId", unlistedID), takes))),
		request("OtherCredential", "uses one credential for all", on(authorize, func(x *traffic) {
			x.sent["credencialId"] = "4b7abb0e-90b2-5d46-9fe7-d18212f17b0c"
		})),
		answer("GuideIsGenerated", "a time in the future", when(lacks("guiaPrestador"), put(entries+"guiaPrestador", "991399999999"))),
		answer("GuideIsGenerated", "with the day first", when(lacks("guiaPrestador"), edit(entries+"guiaPrestador", func(v any) any {
			return v.(string)[4:6] + v.(string)[2:4] + v.(string)[:2] + v.(string)[6:]
		}))),
		answer("GuideIsGenerated", "with the century", when(lacks("guiaPrestador"), edit(entries+"guiaPrestador", func(v any) any {
			return "20" + v.(string)
		}))),
		answer("GuideIsGenerated", "a running number", when(lacks("guiaPrestador"), put(entries+"guiaPrestador", "000000004711"))),
		answer("GuideIsGenerated", "none", when(lacks("guiaPrestador"), put(entries+"guiaPrestador", ""))),
		answer("GuideIsGenerated", "refused without one", on(authorize, when(lacks("guiaPrestador"), refuses))),
		answer("GivenGuideIsKept", "a number of its own", put(entries+"guiaPrestador", "261121100000")),
		answer("GivenGuideIsKept", "cut to twelve digits", edit(entries+"guiaPrestador", func(v any) any { return v.(string)[:12] })),
		answer("GivenGuideIsKept", "not told", drop(entries+"guiaPrestador")),
		request("GivenGuideIsKept", "dropped before the operator sees it", on(authorize, func(x *traffic) { delete(x.sent, "guiaPrestador") })),
	)...)
	return append(all, in("Section2_4",
		answer("nomeProcedimento", "another name", put(results+".*.nomeProcedimento", "Outro")),
		answer("nomeProcedimento", "without accents", edit(results+".*.nomeProcedimento", func(v any) any {
			return strings.NewReplacer("é", "e", "à", "a", "ã", "a").Replace(v.(string))
		})),
		answer("nomeProcedimento", "in another encoding", edit(results+".*.nomeProcedimento", func(v any) any {
			return strings.ReplaceAll(v.(string), "é", "Ã©")
		})),
		answer("codigoProcedimento", "another code", put(results+".*.codigoProcedimento", "0")),
		answer("codigoProcedimento", "with dots", edit(results+".*.codigoProcedimento", func(v any) any {
			return v.(string)[:4] + "." + v.(string)[4:]
		})),
		answer("quantidade", "another quantity", put(results+".*.quantidade", 2)),
		request("quantidade", "asks for another quantity", on(authorize, func(x *traffic) {
			for _, p := range proceduresOf(x) {
				p.(map[string]any)["quantidade"] = 3
			}
		})),
	)...)
}

// strictMutations are services that refuse what 2.3 allows.
func strictMutations() []mutation {
	refused := func(sentence, name string, wanted func(*traffic) bool) mutation {
		return answer(sentence, name, on(authorize, when(wanted, refuses)))
	}
	all := in("Section2_3",
		refused("CredentialFromSearch", "refuses credentials", func(x *traffic) bool { return x.sent["credencialId"] != "outra" }),
		refused("ValidityWithoutZone", "wants a zone", func(x *traffic) bool { return textOf(x, "validadeCarteira") != "" }),
		refused("PlanMayBeEmpty", "wants a plan", has("planoBeneficiario", "")),
		refused("Plan", "wants no plan", has("planoBeneficiario", "Padrão Único")),
		refused("PatientMayWait", "refuses S", has("pacienteNoLocal", "S")),
		refused("SpecialtyIsAnInteger", "wants a text", func(x *traffic) bool { return !isText(x.sent["especialidadeExecutanteId"]) }),
		refused("NotesMayBeNull", "wants a text", has("observacoes", nil)),
		refused("Notes", "wants none", func(x *traffic) bool { return textOf(x, "observacoes") != "" }),
		refused("IndicationMayBeOmitted", "wants it", lacks("indicacaoClinica")),
		refused("AttachmentsMayBeEmpty", "wants some", has("anexos", []any{})),
		refused("AttachmentInBase64", "wants none", func(x *traffic) bool { list, _ := x.sent["anexos"].([]any); return len(list) > 0 }),
		refused("NewbornNameMayBeEmpty", "wants a name", has("nomeRecemNascido", "")),
		refused("NewbornBirthMayBeNull", "wants a date", has("dataNascimentoRecemNascido", nil)),
		refused("Contact", "wants the country", has("dddContato", "11")),
		refused("Contact", "refuses an address", func(x *traffic) bool { return strings.Contains(textOf(x, "emailContato"), "@") }),
		refused("DefaultsMayBeGiven", "refuses type 05", has("tipoAtendimento", "05")),
		refused("DefaultsMayBeGiven", "refuses regime E", has("regimeAtendimento", "E")),
		refused("DefaultsMayBeGiven", "refuses accident 9", has("tipoAcidente", "9")),
		refused("Accents", "refuses an apostrophe", func(x *traffic) bool { return strings.Contains(textOf(x, "nomeBeneficiario"), "'") }),
	)
	for _, name := range []string{"nomeBeneficiario", "nomeSolicitante", "observacoes", "indicacaoClinica", "nomeContato"} {
		all = append(all, in("Section2_3", refused("Accents", "refuses them in "+name, func(x *traffic) bool {
			return strings.ContainsFunc(textOf(x, name), func(r rune) bool { return r > 127 })
		}))...)
	}
	for _, name := range []string{"pacienteNoLocal", "tipoAcidente", "regimeAtendimento", "tipoAtendimento", "retorno"} {
		all = append(all, in("Section2_3", refused("DefaultsMayBeOmitted", "wants "+name, lacks(name)))...)
	}
	return all
}

// newbornMutations are services that do not keep the rule of newborn care.
func newbornMutations() []mutation {
	without := func(name string) func(*traffic) bool {
		return func(x *traffic) bool { return has("atendimentoRN", "S")(x) && lacks(name)(x) }
	}
	with := func(name string, value any) func(*traffic) bool {
		return func(x *traffic) bool { return has("atendimentoRN", "S")(x) && has(name, value)(x) }
	}
	born := func(name string, value any) change {
		return on(authorize, func(x *traffic) {
			if _, given := x.sent[name]; !given && has("atendimentoRN", "S")(x) {
				x.sent[name] = value
			}
		})
	}
	return in("Section2_3",
		answer("NewbornDefaultsToN", "wants atendimentoRN", on(authorize, when(lacks("atendimentoRN"), refuses))),
		answer("NewbornWithNameAndBirth", "refuses newborn care", on(authorize, when(has("atendimentoRN", "S"), refuses))),
		answer("NewbornNeedsNameAndBirth", "takes neither", on(authorize, takes)),
		request("NewbornNeedsNameAndBirth", "forgets that a newborn is treated", on(authorize, when(has("atendimentoRN", "S"),
			func(x *traffic) { x.sent["atendimentoRN"] = "N" }))),
		answer("NewbornNeedsName", "takes no name", on(authorize, when(without("nomeRecemNascido"), takes))),
		request("NewbornNeedsName", "makes a name up", born("nomeRecemNascido", "RN")),
		answer("NewbornNeedsNameNotEmpty", "takes an empty name", on(authorize, when(with("nomeRecemNascido", ""), takes))),
		answer("NewbornNeedsBirth", "takes no birth", on(authorize, when(without("dataNascimentoRecemNascido"), takes))),
		request("NewbornNeedsBirth", "makes a birth up", born("dataNascimentoRecemNascido", "2026-11-20T00:00:00")),
		answer("NewbornNeedsBirthNotNull", "takes null", on(authorize, when(with("dataNascimentoRecemNascido", nil), takes))),
	)
}

func isText(v any) bool { _, ok := v.(string); return ok }

func textOf(x *traffic, name string) string { s, _ := x.sent[name].(string); return s }
