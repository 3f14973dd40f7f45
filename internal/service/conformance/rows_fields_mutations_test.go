package conformance_test

import (
	"strings"
	"time"
)

// fieldRowMutations are services that decided otherwise than rows 1 to 7.
func fieldRowMutations() []mutation {
	var all []mutation
	for _, chapter := range [][]mutation{requiredMutations(), domainMutations(), absenceMutations(), numberMutations()} {
		all = append(all, chapter...)
	}
	return all
}

func requiredMutations() []mutation {
	oneAttachment := func(x *traffic) bool { list, _ := x.sent["anexos"].([]any); return len(list) == 1 }
	return append(in("Row01_RequiredFields",
		answer("EachIsRequired", "takes a request without a council number", on(authorize, when(lacks("crmSolicitante"), takes))),
		answer("EachIsRequired", "takes a request without a name", on(authorize, when(lacks("nomeBeneficiario"), takes))),
		answer("AllAtOnce", "one problem at a time", on(authorize, forgets)),
		answer("NoOtherIsRequired", "wants a plan", on(authorize, when(lacks("planoBeneficiario"), refuses))),
		answer("NoOtherIsRequired", "wants notes", on(authorize, when(lacks("observacoes"), refuses))),
		answer("NoOtherIsRequired", "wants a contact", on(authorize, when(lacks("telefoneContato"), refuses))),
		answer("Procedures", "takes none", on(authorize, when(func(x *traffic) bool { return len(proceduresOf(x)) == 0 }, takes))),
		answer("ValidityOnlyWhereAsked", "wants validadeCarteira", on(authorize, when(lacks("validadeCarteira"), refuses))),
		answer("AnyCard", "wants a long card", on(authorize, when(has("numeroCarteira", "7"), refuses))),
	), in("Row02_Attachments",
		answer("EveryShape", "refuses one alone", on(authorize, when(oneAttachment, refuses))),
		answer("NoBase64", "takes anything", on(authorize, takes)),
		answer("Empty", "takes nothing", on(authorize, takes)),
		answer("KnownKinds", "takes anything", on(authorize, takes)),
	)...)
}

func domainMutations() []mutation {
	return append(in("Row03_Domains",
		answer("tipoAcidente", "takes 3", on(authorize, when(has("tipoAcidente", "3"), takes))),
		answer("regimeAtendimento", "refuses 05", on(authorize, when(has("regimeAtendimento", "05"),
			put("errosDetalhados.0.campo", "regimeAtendimento"), put("errosDetalhados.0.codigo", "dominio")))),
		answer("tipoAtendimento", "takes 12", on(authorize, when(has("tipoAtendimento", "12"), takes))),
	), in("Row04_ErrorItems",
		answer("AtTheTop", "objects", on(authorize, put("erros", []any{map[string]any{"mensagem": "Não."}}))),
		answer("InsideAnAuthorization", "no details", drop(entries+"errosDetalhados")),
	)...)
}

func absenceMutations() []mutation {
	all := in("Row05_AbsentNullEmpty",
		answer("AggregatedPDFAlone", "there with one guide", on(authorize, put("data.pdfGuia", ""))),
		answer("ErrorData", "an object", on(authorize, put("data", map[string]any{}))),
		answer("EmptyTakesNoDefault", "takes null", on(authorize, when(has("tipoAcidente", nil), takes))),
		answer("OmittedIndicationIsNotEmpty", "takes it for the same", on(authorize, when(has("indicacaoClinica", ""), takes))),
		answer("IndicationMayBeEmpty", "refuses it", on(authorize, when(has("indicacaoClinica", ""), refuses))),
	)
	for chapter, place := range map[string]string{"Section2_5_Entry": entries, "Section2_5_Procedure": results + ".*."} {
		for _, name := range sentencesOf(chapter) {
			all = append(all, in("Row05_AbsentNullEmpty",
				answer("EveryPropertyIsPresent", strings.Trim(chapter[len("Section2_5"):], "_")+" without "+name, drop(place+name)))...)
		}
	}
	for _, name := range []string{"numeroGuia", "senha", "protocolo", "guiaId", "guiaPrestador", "guiaParceiro", "numeroSolicitacao",
		"pdfGuiaAutorizacao", "procedimentos.*.quantidadeAutorizada", "procedimentos.*.quantidadeExecutada"} {
		all = append(all, in("Row05_AbsentNullEmpty", answer("NothingIsNull", name, put(entries+name, nil)))...)
	}
	all = append(all, in("Row05_AbsentNullEmpty",
		answer("NothingIsNull", "an empty text for a date", when(isDenied, put(entries+"validadeSenha", ""))))...)
	return append(all, in("Row06_Data",
		answer("IsAnObject", "a list", on(authorize, func(x *traffic) { x.doc["data"] = []any{x.doc["data"]} })))...)
}

func numberMutations() []mutation {
	inUTC := func(v any) any {
		at, err := time.Parse("060102150405", v.(string))
		if err != nil {
			return v
		}
		return at.Add(3 * time.Hour).Format("060102150405")
	}
	return in("Row07_ProviderGuide",
		answer("InTheProvidersZone", "in another year", put(entries+"guiaPrestador", "200101000000")),
		answer("InTheProvidersZone", "in UTC", on(authorize, when(lacks("guiaPrestador"), edit(entries+"guiaPrestador", inUTC)))),
		answer("NextFreeSecond", "always the same", put(entries+"guiaPrestador", "261121100000")),
		answer("OneToTwentyCharacters", "takes an empty one", on(authorize, when(has("guiaPrestador", ""), takes))),
	)
}
