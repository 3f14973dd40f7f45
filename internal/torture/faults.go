package torture

import (
	"net/http"
	"strings"
	"time"

	"guiche/internal/client/faultservice"
)

// answerTime is how long the program waits for an answer: what comes later is late.
const answerTime = 2 * time.Second

// fault is one way in which the service misbehaves.
type fault struct {
	name string
	rule func(d *dice) faultservice.Rule
}

// before strikes in place of acting, after behind it.
func before(name string, f faultservice.Fault) fault {
	return fault{name, func(*dice) faultservice.Rule { return faultservice.Rule{Name: name, Fault: f} }}
}

func after(name string, f faultservice.Fault) fault {
	return fault{name, func(*dice) faultservice.Rule { return faultservice.Rule{Name: name, Fault: f, After: true} }}
}

// cut strikes behind acting, at a byte of the answer that the dice choose.
func cut(name string, most int, f func(n int) faultservice.Fault) fault {
	return fault{name, func(d *dice) faultservice.Rule {
		return faultservice.Rule{Name: name, Fault: f(d.between(0, most)), After: true}
	}}
}

// late acts, or not, and answers after the program's patience.
func late(name string, acts bool, wait time.Duration) fault {
	return fault{name, func(*dice) faultservice.Rule {
		over := make(chan struct{})
		time.AfterFunc(wait, func() { close(over) })
		return faultservice.Rule{Name: name, After: acts, Hold: over}
	}}
}

// refusal is an answer with an envelope that says that the service did not act.
const refusal = `{"sucesso":false,"erros":["Tente de novo."],"errosDetalhados":[{"codigo":"em_processamento","campo":"",` +
	`"mensagem":"Tente de novo."}],"data":null}`

// faults are what may happen to a request that asks for an authorization.
func faults() []fault {
	all := []fault{
		before("hang up unread", faultservice.HangUp()), before("reset before acting", faultservice.Reset()),
		before("500 before acting", faultservice.Answer(500, refusal)), before("502 page before acting", faultservice.HTML(502)),
		before("bare 503", faultservice.HTML(503)), before("503 with Retry-After", faultservice.Answer(503, refusal, "Retry-After", "1")),
		before("504 before acting", faultservice.HTML(504)), before("429", faultservice.Answer(429, refusal)),
		before("429 with Retry-After", faultservice.Answer(429, refusal, "Retry-After", "1")),
		before("401", faultservice.Answer(401, refusal, "WWW-Authenticate", "Bearer")), before("403", faultservice.Answer(403, refusal)),
		before("404 with an envelope", faultservice.Answer(404, refusal)), before("413 with an envelope", faultservice.Answer(413, refusal)),
		before("409 still answering", faultservice.Answer(409, refusal)), before("page in place of JSON", faultservice.HTML(200)),
		before("empty 200", faultservice.Answer(200, "")), before("302", faultservice.Redirect(302, "/api/v2/recursos")),
		before("unknown status", faultservice.Answer(299, "")), before("never", faultservice.Never()),
		before("garbage", faultservice.Answer(200, "\x00\x1f\x8b{]")),
		late("late before acting", false, answerTime/4), late("later than awaited before acting", false, answerTime+answerTime/4),
	}
	return append(all, faultsAfterActing()...)
}

// faultsAfterActing are those of requests that the service acted on.
func faultsAfterActing() []fault {
	return []fault{
		after("hang up after acting", faultservice.HangUp()), after("reset after acting", faultservice.Reset()),
		after("500 after acting", faultservice.Answer(500, "{}")), after("502 page after acting", faultservice.HTML(502)),
		after("503 after acting", faultservice.HTML(503)), after("504 after acting", faultservice.HTML(504)),
		after("page after acting", faultservice.HTML(200)), after("empty after acting", faultservice.Answer(200, "")),
		after("101 after acting", faultservice.Answer(101, "")), after("unknown status after acting", faultservice.Answer(599, "")),
		cut("half a body", 500, faultservice.Cut), cut("reset in the answer", 900, faultservice.CutBytes),
		cut("silence in the answer", 500, faultservice.Stall),
		after("shorter than its length", faultservice.WrongLength(7)), after("longer than its length", faultservice.WrongLength(-7)),
		after("without an end", faultservice.Endless()),
		after("gzip that is none", faultservice.Rewrite(same, "Content-Encoding", "gzip")),
		after("duplicated keys", faultservice.Rewrite(func(s string) string { return `{"sucesso":true,` + s[1:] })),
		after("nested deeply", faultservice.Rewrite(func(s string) string {
			return `{"x":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + "," + s[1:]
		})),
		after("more than one value", faultservice.Rewrite(func(s string) string { return s + "{}" })),
		after("Latin-1", faultservice.Rewrite(func(s string) string { return `{"observação":"` + "\xe7" + `",` + s[1:] })),
		after("plain text", faultservice.ContentType("text/plain; charset=latin1")),
		late("late after acting", true, answerTime/4), late("later than awaited after acting", true, answerTime+answerTime/4),
	}
}

func same(body string) string { return body }

// questionFaults are what may happen to any other request.
func questionFaults() []fault {
	return []fault{
		before("hang up unread", faultservice.HangUp()), before("reset before acting", faultservice.Reset()),
		before("500 before acting", faultservice.Answer(500, refusal)), before("502 page before acting", faultservice.HTML(502)),
		before("page in place of JSON", faultservice.HTML(200)),
		before("429 with Retry-After", faultservice.Answer(429, refusal, "Retry-After", "1")),
		cut("half a body", 40, faultservice.Cut), before("garbage", faultservice.Answer(200, "\x00\x1f\x8b{]")),
		late("late before acting", false, answerTime/4),
	}
}

// choose decides by the dice whether a fault strikes at a request, and which.
func (s *service) choose(r *http.Request) *faultservice.Rule {
	if !s.dice.chance(s.share(3, 4)) {
		return nil
	}
	all := s.questionFaults
	if r.URL.Path == faultservice.SubmitPath {
		all = s.faults
	}
	rule := all[s.dice.between(0, len(all))].rule(s.dice)
	s.struck.Add(1)
	s.count(rule.Name)
	return &rule
}
