package conformance_test

import "strings"

// orderRowMutations are services that decided otherwise than rows 8 to 12.
func orderRowMutations() []mutation {
	keyed := func(x *traffic) bool { return x.asked.Get("Idempotency-Key") != "" }
	all := in("Row08_Order",
		answer("PathFirst", "asks for access first", on("/api/v2/nada", status(401))),
		answer("MethodSecond", "asks for access first", on(authorize, status(401))),
		answer("AuthenticateThird", "reads the content type first", on(authorize, status(415))),
		answer("ScopeFourth", "reads the content type first", on(authorize, status(415))),
		answer("ContentTypeFifth", "parses first", on(authorize, status(400))),
		answer("ParseBeforeKey", "reads the key first", on(authorize, status(422))),
		answer("KeyBeforeValidate", "validates first", on(authorize, when(keyed, put("errosDetalhados.0.campo", "numeroCarteira")))),
		answer("GuideBeforeValidate", "validates first", on(authorize, when(lacks("numeroCarteira"), refuses))),
		answer("RefusedFreesTheKey", "keeps the key", on(authorize, when(keyed, refuses))),
	)
	return append(append(append(all, statusMutations()...), limitMutations()...), repeatMutations()...)
}

func statusMutations() []mutation {
	return in("Row09_Statuses",
		answer("OK200", "201", on(authorize, status(201))),
		answer("RefusedByOperator200", "422", on(authorize, when(has("numeroCarteira", "99992100001"), refuses))),
		answer("Unreadable400", "422", on(authorize, when(func(x *traffic) bool { return x.form == "" }, refuses))),
		answer("Unauthorized401", "without WWW-Authenticate", header("WWW-Authenticate", "")),
		answer("Unauthorized401", "403", when(answered(401), status(403))),
		answer("Forbidden403", "401", on(lists, status(401))),
		answer("NotFound404", "finds version 3", on("/api/v3", opens)),
		answer("ExactPaths", "redirects", when(otherSpelling, status(307))),
		request("ExactPaths", "takes any spelling", when(otherSpelling, func(x *traffic) { x.path = search })),
		answer("Method405", "without Allow", header("Allow", "")),
		answer("MediaType415", "400", on(authorize, status(400))),
		answer("Invalid422", "400", on(authorize, status(400))),
		answer("Invalid422", "takes any flag of newborn care", on(authorize, when(has("atendimentoRN", "X"), takes))),
		answer("OperatorFailure502", "500", on(authorize, status(500))),
	)
}

// otherSpelling says that the search is asked for by another address.
func otherSpelling(x *traffic) bool {
	return strings.HasPrefix(strings.ToLower(strings.ReplaceAll(x.path, "//", "/")), search) && !strings.HasPrefix(x.path, search+"?") &&
		x.path != search
}

func limitMutations() []mutation {
	return append(in("Row10_Limits",
		answer("Attachments", "takes more", on(authorize, takes)),
		answer("AttachmentSize", "takes more", on(authorize, takes)),
		answer("Procedures", "takes more", on(authorize, when(func(x *traffic) bool { return len(proceduresOf(x)) == 101 }, takes))),
		answer("Rest", "takes more", on(authorize, takes)),
	), in("Row12_StrictReading",
		answer("UnknownIsIgnored", "refuses it", on(authorize,
			when(func(x *traffic) bool { _, there := x.sent["campoDesconhecido"]; return there }, refuses))),
		answer("TypesAllAtOnce", "one at a time", on(authorize, forgets)),
		answer("DuplicateNames", "without a path", on(authorize, put("errosDetalhados.0.campo", ""))),
		answer("AfterTheValue", "ignores it", on(authorize, takes)),
		answer("NotAnObject", "takes it", on(authorize, takes)),
		answer("ByteOrderMark", "does not read it", on(authorize, when(func(x *traffic) bool { return strings.HasPrefix(x.form, "\ufeff") },
			refuses, status(400)))),
		answer("IntegersByValue", "wants no point", on(authorize, when(func(x *traffic) bool { return strings.Contains(x.form, "1.0") },
			put("errosDetalhados", []any{map[string]any{"codigo": "tipo", "campo": "especialidadeExecutanteId", "mensagem": "x"}})))),
		answer("IntegersByValue", "rounds", on(authorize, when(func(x *traffic) bool { return strings.Contains(x.form, "1.5") }, refuses))),
		answer("NoU0000", "takes it", on(authorize, when(func(x *traffic) bool { return strings.Contains(x.form, `\u0000`) }, takes))),
	)...)
}

func repeatMutations() []mutation {
	repeated := func(x *traffic) bool { return x.header.Get("Idempotency-Replayed") != "" }
	spaced := func(x *traffic) bool { return strings.HasPrefix(x.form, "\n") }
	return in("Row11_Idempotency",
		answer("EqualKey", "another answer", on(authorize, when(repeated, put("sucesso", false)))),
		request("EqualKey", "knows no key", func(x *traffic) { x.asked.Del("Idempotency-Key") }),
		answer("OtherBodySameKey", "takes it", on(authorize, takes)),
		answer("EqualGuide", "does not say so", on(authorize, header("Idempotency-Replayed", ""))),
		answer("OtherBodySameGuide", "another word", on(authorize, when(has("observacoes", "outra"),
			put("errosDetalhados.0.codigo", "conflito")))),
		answer("SpaceAndOrder", "compares bytes", on(authorize, when(spaced, refuses))),
		answer("DefaultsAreDecoded", "compares bytes", on(authorize, when(lacks("retorno"), status(409)))),
		answer("KeyLength", "takes a longer one", on(authorize, takes)),
		answer("EqualAtOnce", "several authorizations", on(authorize, when(repeated, put(entries+"guiaId", "outra")))),
	)
}
