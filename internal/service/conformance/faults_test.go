package conformance_test

import (
	"strings"
)

const (
	search    = "/api/v2/credenciais"
	authorize = "/api/v2/autorizar/sp-sadt"
	oauth     = "/oauth/token"
	login     = "/api/v1/auth/login"
	refresh   = "/api/v1/auth/refresh"
	eligible  = "/api/v1/elegibilidade"
	submit    = "/api/v1/solicitacao"
	lookup    = "/api/v2/autorizacoes"
	entries   = "data.autorizacoes.*."
)

// opens answers any search, whoever asks.
func opens(x *traffic) {
	x.status = 200
	x.doc = map[string]any{"sucesso": true, "erros": []any{}, "data": map[string]any{"items": []any{}}}
}

func severalProcedures(x *traffic) bool {
	list, _ := x.sent["procedimentos"].([]any)
	return len(list) > 1
}

// specificationFaults are services that break one sentence of the specification.
func specificationFaults() []deviation {
	return append(fieldFaults(), []deviation{
		{"Section1/CredentialThenAuthorization", put(entries+"situacaoAutorizacao", "")},
		{"Section1/SeveralProcedures", on(authorize, when(severalProcedures, refuses))},
		{"Section2_1/SuccessIsBoolean", on(search, put("sucesso", "true"))},
		{"Section2_1/ErrorsAreAList", put(entries+"erros", nil)},
		{"Section2_1/ErrorsEmptyWhenNone", on(authorize, put("erros", []any{"ok"}))},
		{"Section2_1/DataIsAnObject", on(search, func(x *traffic) { x.doc["data"] = []any{x.doc["data"]} })},
		{"Section2_5/TopLevel", on(authorize, drop("erros"))},
		{"Section2_5/Entries", on(authorize, put("data.autorizacoes", []any{}))},
		{"Section2_5/AggregatedPDF", drop("data.pdfGuia")},
		{"Section2_5/SequenceNumbers", put(entries+"numeroAutorizacao", 1)},
		{"Section2_5/GuideIsAPDF", put(entries+"pdfGuiaAutorizacao", "bm8gUERG")},
		{"Section3/AllowedCodes", put(entries+"situacaoAutorizacao", "Q")},
		{"Section3/NameInOtherResponses", on(submit, put("data.situacao", "em análise"))},
		{"Section4_1/SearchReturnsItems", on(search, func(x *traffic) { x.doc["data"] = map[string]any{"credenciais": []any{}} })},
		{"Section4_1/SearchFindsByText", on(search, func(x *traffic) {
			x.doc["data"] = map[string]any{"items": []any{map[string]any{"id": "0198a000-0000-7000-8000-000000000001", "nome": "Todas"}}}
		})},
		{"Section4_1/AcceptTextPlain", on(search, when(func(x *traffic) bool { return x.asked.Get("Accept") == "text/plain" },
			func(x *traffic) { x.doc, x.text = nil, []byte("texto") }))},
		{"Section4_2/PathAndMethod", on(authorize, unknown)},
		{"Section4_2/AnswersJSON", on(authorize, header("Content-Type", "text/html"))},
		{"Section4_4/AcceptsAPIKey", on(eligible, status(401))},
		{"Section4_5/TakesASolicitacao", on(submit, refuses)},
		{"Section4_6/RefreshRenews", on(refresh, put("data.access_token", "o-mesmo-de-sempre"))},
		{"Section4_7/access_token", on(oauth, drop("access_token"))},
		{"Section4_7/token_type", on(oauth, put("token_type", "bearer"))},
		{"Section4_7/expires_in", on(oauth, put("expires_in", "54000"))},
		{"Section4_7/WrongSecret", on(oauth, takes)},
		{"Section4_7/OtherGrant", on(oauth, takes)},
		{"Section4_8/LoginGivesASession", on(login, drop("data.access_token"))},
		{"Section4_8/WrongPassword", on(login, takes)},
		{"Section5/APIKey", on(search, when(func(x *traffic) bool { return x.asked.Get("X-Api-Key") != "" }, status(401), refuses))},
		{"Section5/UnknownKey", on(search, opens)},
		{"Section5/NoCredential", on(search, opens)},
		{"Section5/BearerToken", on(search, refuses)},
		{"Section5/TokenIsASecret", on(login, put("data.access_token", "sessao-1"))},
		{"Section5/UnknownToken", on(search, opens)},
		{"Section5/BearerValidity", on(login, put("data.expires_in", 3600))},
		{"Section5/RefreshValidity", on(login, put("data.refresh_expires_in", 3600))},
		{"Section5/OAuthToken", on(search, refuses)},
		{"Section5/OAuthExpiresIn", on(oauth, put("expires_in", 3600))},
		{"Section7/EveryResponseCarriesSuccess", on(eligible, drop("sucesso"))},
		{"Section7/EveryResponseCarriesErrors", on(search, put("erros", "nenhum"))},
		{"Section7/EntriesCarryBoth", drop(entries + "sucesso")},
		{"Section7/OutcomeIsInTheStatus", put(entries+"situacaoAutorizacao", "-")},
		{"Section7/NewbornRule", on(authorize, takes)},
		{"Section8/BearerValidity", on(login, put("data.expires_in", 54001))},
		{"Section8/OAuthExpiresIn", on(oauth, put("expires_in", 53999))},
		{"Section8/RefreshValidity", on(login, put("data.refresh_expires_in", 54000))},
		{"Section8/GeneratedGuide", put(entries+"guiaPrestador", "2026-11-21 10:00:00")},
		{"Section9/SearchAndAuthorizationInV2", on(authorize, unknown)},
		{"Section9/OthersInV1", on(submit, unknown)},
		{"Section9/TokenWithoutVersion", on(oauth, unknown)},
	}...)
}

// fieldFaults are services that do not take what 2.3 and 2.4 allow.
func fieldFaults() []deviation {
	strict := func(caught string, wanted func(*traffic) bool) deviation {
		return deviation{"Section2_3/" + caught, on(authorize, when(wanted, refuses))}
	}
	empty := []any{}
	return []deviation{
		strict("CredentialFromSearch", func(x *traffic) bool { return x.sent["credencialId"] != "outra" }),
		strict("ValidityWithoutZone", func(x *traffic) bool {
			s, ok := x.sent["validadeCarteira"].(string)
			return ok && !strings.HasSuffix(s, "Z")
		}),
		strict("PlanMayBeEmpty", has("planoBeneficiario", "")),
		strict("NewbornDefaultsToN", lacks("atendimentoRN")),
		{"Section2_3/NewbornNeedsNameAndBirth", on(authorize, takes)},
		strict("NewbornWithNameAndBirth", has("atendimentoRN", "S")),
		strict("NewbornNameMayBeEmpty", has("nomeRecemNascido", "")),
		strict("NewbornBirthMayBeNull", has("dataNascimentoRecemNascido", nil)),
		strict("SpecialtyIsAnInteger", func(x *traffic) bool { _, ok := x.sent["especialidadeExecutanteId"].(string); return !ok }),
		strict("DefaultsMayBeOmitted", lacks("tipoAtendimento")),
		{"Section2_3/GuideIsGenerated", when(lacks("guiaPrestador"), put(entries+"guiaPrestador", "991399999999"))},
		{"Section2_3/GivenGuideIsKept", put(entries+"guiaPrestador", "261121100000")},
		strict("NotesMayBeNull", has("observacoes", nil)),
		strict("IndicationMayBeOmitted", lacks("indicacaoClinica")),
		strict("AttachmentsMayBeEmpty", has("anexos", empty)),
		strict("AttachmentInBase64", func(x *traffic) bool { list, _ := x.sent["anexos"].([]any); return len(list) > 0 }),
		strict("Contact", has("dddContato", "11")),
		{"Section2_4/nomeProcedimento", put(entries+"procedimentos.*.nomeProcedimento", "Outro")},
		{"Section2_4/codigoProcedimento", put(entries+"procedimentos.*.codigoProcedimento", "0")},
		{"Section2_4/quantidade", put(entries+"procedimentos.*.quantidade", 2)},
	}
}
