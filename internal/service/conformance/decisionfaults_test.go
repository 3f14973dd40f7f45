package conformance_test

import (
	"strings"
)

// decisionFaults are services that decided otherwise than one of our rows.
func decisionFaults() []deviation {
	all := append(rowFaultsOfFields(), rowFaultsOfOrder()...)
	return append(append(all, rowFaultsOfEndpoints()...), rowFaultsOfAccess()...)
}

func proceduresOf(x *traffic) []any { list, _ := x.sent["procedimentos"].([]any); return list }

func rowFaultsOfFields() []deviation {
	shapeless := func(x *traffic) bool { list, _ := x.sent["anexos"].([]any); return len(list) == 1 }
	return []deviation{
		{"Row01_RequiredFields/EachIsRequired", on(authorize, when(lacks("crmSolicitante"), takes))},
		{"Row01_RequiredFields/AllAtOnce", on(authorize, forgets)},
		{"Row01_RequiredFields/NoOtherIsRequired", on(authorize, when(lacks("planoBeneficiario"), refuses))},
		{"Row01_RequiredFields/Procedures", on(authorize, when(func(x *traffic) bool { return len(proceduresOf(x)) == 0 }, takes))},
		{"Row01_RequiredFields/ValidityOnlyWhereAsked", on(authorize, when(lacks("validadeCarteira"), refuses))},
		{"Row01_RequiredFields/AnyCard", on(authorize, when(has("numeroCarteira", "7"), refuses))},
		{"Row02_Attachments/EveryShape", on(authorize, when(shapeless, refuses))},
		{"Row02_Attachments/NoBase64", on(authorize, takes)},
		{"Row02_Attachments/Empty", on(authorize, takes)},
		{"Row03_Domains/tipoAcidente", on(authorize, when(has("tipoAcidente", "3"), takes))},
		{"Row03_Domains/regimeAtendimento", on(authorize, when(has("regimeAtendimento", "05"),
			put("errosDetalhados.0.campo", "regimeAtendimento"), put("errosDetalhados.0.codigo", "dominio")))},
		{"Row03_Domains/tipoAtendimento", on(authorize, when(has("tipoAtendimento", "12"), takes))},
		{"Row04_ErrorItems/AtTheTop", on(authorize, put("erros", []any{map[string]any{"mensagem": "Não."}}))},
		{"Row04_ErrorItems/InsideAnAuthorization", drop(entries + "errosDetalhados")},
		{"Row05_AbsentNullEmpty/EveryPropertyIsPresent", drop(entries + "guiaParceiro")},
		{"Row05_AbsentNullEmpty/NothingIsNull", put(entries+"senha", nil)},
		{"Row05_AbsentNullEmpty/AggregatedPDFAlone", on(authorize, put("data.pdfGuia", ""))},
		{"Row05_AbsentNullEmpty/ErrorData", on(authorize, put("data", map[string]any{}))},
		{"Row05_AbsentNullEmpty/EmptyTakesNoDefault", on(authorize, when(has("tipoAcidente", nil), takes))},
		{"Row05_AbsentNullEmpty/OmittedIndicationIsNotEmpty", on(authorize, when(has("indicacaoClinica", ""), takes))},
		{"Row06_Data/IsAnObject", on(authorize, func(x *traffic) { x.doc["data"] = []any{x.doc["data"]} })},
		{"Row07_ProviderGuide/InTheProvidersZone", put(entries+"guiaPrestador", "200101000000")},
		{"Row07_ProviderGuide/NextFreeSecond", put(entries+"guiaPrestador", "261121100000")},
		{"Row07_ProviderGuide/OneToTwentyCharacters", on(authorize, when(has("guiaPrestador", ""), takes))},
	}
}

func rowFaultsOfOrder() []deviation {
	keyed := func(x *traffic) bool { return x.asked.Get("Idempotency-Key") != "" }
	repeated := func(x *traffic) bool { return x.header.Get("Idempotency-Replayed") != "" }
	return []deviation{
		{"Row08_Order/PathFirst", on("/api/v2/nada", status(401))},
		{"Row08_Order/MethodSecond", on(authorize, status(401))},
		{"Row08_Order/AuthenticateThird", on(authorize, status(415))},
		{"Row08_Order/ScopeFourth", on(authorize, status(415))},
		{"Row08_Order/ContentTypeFifth", on(authorize, status(400))},
		{"Row08_Order/ParseBeforeKey", on(authorize, status(422))},
		{"Row08_Order/KeyBeforeValidate", on(authorize, when(keyed, put("errosDetalhados.0.campo", "numeroCarteira")))},
		{"Row08_Order/GuideBeforeValidate", on(authorize, when(lacks("numeroCarteira"), refuses))},
		{"Row08_Order/RefusedFreesTheKey", on(authorize, when(keyed, refuses))},
		{"Row09_Statuses/OK200", on(authorize, status(201))},
		{"Row09_Statuses/RefusedByOperator200", on(authorize, when(has("numeroCarteira", "99992100001"), refuses))},
		{"Row09_Statuses/Unreadable400", on(authorize, when(func(x *traffic) bool { return x.form == "" }, refuses))},
		{"Row09_Statuses/Unauthorized401", header("WWW-Authenticate", "")},
		{"Row09_Statuses/Forbidden403", on("/api/v2/unidades", status(401))},
		{"Row09_Statuses/NotFound404", on("/api/v3", opens)},
		{"Row09_Statuses/Method405", header("Allow", "")},
		{"Row09_Statuses/MediaType415", on(authorize, status(400))},
		{"Row09_Statuses/Invalid422", on(authorize, status(400))},
		{"Row09_Statuses/OperatorFailure502", on(authorize, status(500))},
		{"Row10_Limits/Attachments", on(authorize, takes)},
		{"Row10_Limits/AttachmentSize", on(authorize, takes)},
		{"Row10_Limits/Procedures", on(authorize, when(func(x *traffic) bool { return len(proceduresOf(x)) == 101 }, takes))},
		{"Row10_Limits/Rest", on(authorize, takes)},
		{"Row11_Idempotency/EqualKey", on(authorize, when(repeated, put("sucesso", false)))},
		{"Row11_Idempotency/OtherBodySameKey", on(authorize, takes)},
		{"Row11_Idempotency/EqualGuide", on(authorize, header("Idempotency-Replayed", ""))},
		{"Row11_Idempotency/OtherBodySameGuide", on(authorize, when(has("observacoes", "outra"), put("errosDetalhados.0.codigo", "conflito")))},
		{"Row11_Idempotency/SpaceAndOrder", on(authorize, when(func(x *traffic) bool { return strings.HasPrefix(x.form, "\n") }, refuses))},
		{"Row11_Idempotency/DefaultsAreDecoded", on(authorize, when(lacks("retorno"), status(409)))},
		{"Row11_Idempotency/KeyLength", on(authorize, takes)},
		{"Row11_Idempotency/EqualAtOnce", on(authorize, when(repeated, put(entries+"guiaId", "outra")))},
		{"Row12_StrictReading/UnknownIsIgnored", on(authorize,
			when(func(x *traffic) bool { _, there := x.sent["campoDesconhecido"]; return there }, refuses))},
		{"Row12_StrictReading/TypesAllAtOnce", on(authorize, forgets)},
		{"Row12_StrictReading/DuplicateNames", on(authorize, put("errosDetalhados.0.campo", ""))},
		{"Row12_StrictReading/AfterTheValue", on(authorize, takes)},
		{"Row12_StrictReading/NotAnObject", on(authorize, takes)},
	}
}

func rowFaultsOfEndpoints() []deviation {
	acted := func(what string) func(*traffic) bool {
		return func(x *traffic) bool { return strings.HasSuffix(x.path, "/"+what) }
	}
	return []deviation{
		{"Row13_Registers/Units", drop("data.items.*.pontosAtendimento")},
		{"Row13_Registers/Professionals", put("data.items.*.especialidades.*.id", "1")},
		{"Row14_Search/Paging", on(search, drop("data.total"))},
		{"Row14_Search/PagingLimits", on(search, takes)},
		{"Row14_Search/CaseAndAccents", on(search, when(func(x *traffic) bool { return strings.HasSuffix(x.path, "jequitiba") },
			put("data.items", []any{})))},
		{"Row14_Search/EmptyListsAllByName", on(search, put("data.items.0.nome", "Zelo Saúde"))},
		{"Row14_Search/JSONWhateverAccept", on(search, when(func(x *traffic) bool { return x.asked.Get("Accept") == "image/png" }, status(406)))},
		{"Row15_Eligibility/Eligible", on(eligible, drop("data.mensagens"))},
		{"Row15_Eligibility/NotEligible", on(eligible, put("data.elegivel", true))},
		{"Row15_Eligibility/Refused", on(eligible, takes)},
		{"Row16_Submission/Accepted202", on(submit, status(200))},
		{"Row16_Submission/DecidedAfterwards", on(lookup, put("data.statusAutorizacao", "N"))},
		{"Row16_Submission/SameRules", on(submit, put("errosDetalhados.0.campo", "numeroCarteira"))},
		{"Row17_Features/Words", put("data.recursos", []any{"idempotencia", "biometrias"})},
		{"Row17_Features/AnyValidCredential", on("/api/v2/recursos", opens)},
		{"Row18_Later/ByIdentifier", on(lookup, drop("data.statusAutorizacao"))},
		{"Row18_Later/ByGuide", on(lookup, put("data.items", []any{}))},
		{"Row18_Later/NeverArrived", on(lookup, put("data.items", nil))},
		{"Row18_Later/Attachments", when(acted("anexos"), put("data.statusAutorizacao", "S"))},
		{"Row18_Later/Biometrics", when(acted("biometria"), takes)},
		{"Row18_Later/Cancelling", when(acted("cancelamento"), put("data.statusAutorizacao", "A"))},
		{"Row19_Life/EveryCode", when(has("numeroCarteira", "99991200077"), put(entries+"situacaoAutorizacao", "C"))},
		{"Row19_Life/InvalidBiometricsAgain", when(acted("biometria"), put("data.statusAutorizacao", "R"))},
		{"Row19_Life/BiometricsMayFail", when(acted("biometria"), put("data.statusAutorizacao", "A"))},
		{"Row19_Life/WaitingMayBeCancelled", when(acted("cancelamento"), refuses)},
		{"Row19_Life/FinalStays", when(acted("cancelamento"), takes)},
		{"Row19_Life/OnlyWhereItWaits", when(acted("anexos"), takes)},
		{"Row20_Biometrics/Flag", on(search, drop("data.items.*.exigeBiometria"))},
		{"Row22_Description/WithoutAuthentication", on("/api/openapi.yaml", status(401))},
	}
}

func rowFaultsOfAccess() []deviation {
	again := map[string]bool{} // refresh tokens that were used
	return []deviation{
		{"Row23_Sessions/Login", on(login, put("data.token_type", "bearer"))},
		{"Row23_Sessions/Refresh", on(refresh, drop("data.refresh_expires_in"))},
		{"Row23_Sessions/WrongPassword", on(login,
			when(func(x *traffic) bool { return strings.Contains(x.form, "ninguem") && x.status == 401 },
				put("erros", []any{"Usuário desconhecido."})))},
		{"Row23_Sessions/UsedOnce", on(refresh, func(x *traffic) {
			if again[x.form] {
				takes(x)
			}
			again[x.form] = true
		})},
		{"Row23_Sessions/Fields", on(login, forgets)},
		{"Row24_OAuth/Members", on(oauth, drop("erros"))},
		{"Row24_OAuth/Errors", on(oauth, drop("error_description"))},
		{"Row24_OAuth/BasicOrForm", on(oauth, when(func(x *traffic) bool { return x.asked.Get("Authorization") != "" }, refuses))},
		{"Row25_Scopes/EachOpensItsOwn", on(lookup, when(func(x *traffic) bool { return x.status == 403 }, status(404)))},
		{"Row25_Scopes/AbsentMeansAll", on(oauth, put("scope", "credenciais:ler"))},
		{"Row26_Methods/AnyMethodAnywhere", on(eligible, when(func(x *traffic) bool { return x.asked.Get("Authorization") != "" }, status(403)))},
	}
}
