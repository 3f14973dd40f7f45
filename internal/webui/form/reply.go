package form

import (
	"strconv"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/problem"
)

// Answers reads how many answers the case had when the form was made, from "visto"; -1
// where it does not say.
func (f *Form) Answers() int { return f.seen("visto") }

// Events reads how many events the case had when the form was made, from "eventos"; -1 where it does not say.
func (f *Form) Events() int { return f.seen("eventos") }

func (f *Form) seen(name string) int {
	n, err := strconv.Atoi(f.Raw(name))
	if err != nil {
		return -1
	}
	return n
}

// Reply reads what the operator told a person, from the fields "autorizacao", "situacao", "senha",
// "validade", "guia", "contato" and "observacao". A date is read nearest to now. What is
// wrong with it the desk says, who knows the case that it is about.
func (f *Form) Reply(now time.Time) desk.Reply {
	r := desk.Reply{Status: authorization.Status(f.Raw("situacao")), Senha: f.Line("senha"), GuideNumber: f.Line("guia"),
		Answers: f.Answers(), Inquiry: desk.Inquiry{Contact: f.Line("contato"), Note: f.Text("observacao")}}
	var err error
	if r.Authorization, err = strconv.Atoi(f.Raw("autorizacao")); err != nil {
		r.Authorization = -1 // the desk says whether one has to be named
	}
	if f.Text("validade") == "" {
		return r
	}
	if r.SenhaValidUntil, err = authorization.ParseTypedDate(f.Text("validade"), now); err != nil {
		r.Unread = []problem.Field{{Path: "validade", Code: authorization.CodeFormat,
			Message: authorization.DateMessage(err, "Validade", "Informe a validade da senha como DD/MM/AAAA.")}}
	}
	return r
}

// Review reads whom a review was asked of, from "reanalise-contato", "reanalise-protocolo" and
// "reanalise-observacao".
func (f *Form) Review() desk.Inquiry {
	const review = "reanalise-"
	return desk.Inquiry{Contact: f.Line(review + "contato"), CallProtocol: f.Line(review + "protocolo"), Note: f.Text(review + "observacao")}
}

// resend goes before the names of the fields of a resend, whose form stands on the same
// page.
const resend = "reenvio-"

// Resend reads on whose word a request is sent again, from "reenvio-contato",
// "reenvio-protocolo" and the box "reenvio-confirmo", which must be ticked.
func (f *Form) Resend() desk.Inquiry {
	q := desk.Inquiry{Contact: f.Line(resend + "contato"), CallProtocol: f.Line(resend + "protocolo")}
	for _, p := range q.Problems() {
		p.Path = resend + p.Path
		f.Add(p)
	}
	if !f.Checked(resend + "confirmo") {
		f.Refuse(resend+"confirmo", authorization.CodeRequired, "Marque que a operadora confirmou que não há pedido com este número.")
	}
	return q
}
