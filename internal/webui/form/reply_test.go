package form_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/webui/form"
)

// paths are the fields with which something is wrong.
func paths(f *form.Form) string {
	var all []string
	for _, p := range f.Problems() {
		all = append(all, p.Path)
	}
	return strings.Join(all, " ")
}

func TestForm_Reply(t *testing.T) {
	now := time.Date(2026, 11, 20, 14, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		posted, unread string
		want           desk.Reply
	}{
		"Nothing": {"", "", desk.Reply{Answers: -1, Authorization: -1}},
		"Full": {"visto=2&autorizacao=1&situacao=A&senha=+48++2&guia=7&validade=201226&contato=Marta&observacao=a%0Ab+", "",
			desk.Reply{Answers: 2, Authorization: 1, Status: "A", Senha: "48 2", GuideNumber: "7",
				SenhaValidUntil: authorization.DateOf(2026, 12, 20),
				Inquiry:         desk.Inquiry{Contact: "Marta", Note: "a\nb"}}},
		"BadDate": {"situacao=A&validade=31/02/2027&contato=M", "validade",
			desk.Reply{Answers: -1, Authorization: -1, Status: "A", Inquiry: desk.Inquiry{Contact: "M"}}},
	} {
		got := mustParse(t, c.posted).Reply(now)
		unread := form.New(nil)
		unread.Add(got.Unread...)
		got.Unread = nil
		if !reflect.DeepEqual(got, c.want) || paths(unread) != c.unread {
			t.Errorf("%s: got %+v, unread %q", name, got, paths(unread))
		}
	}
}

func TestForm_Resend(t *testing.T) {
	for posted, problems := range map[string]string{
		"": "reenvio-contato reenvio-confirmo",
		"reenvio-contato=Marta&reenvio-protocolo=77&reenvio-confirmo=S":         "",
		"reenvio-contato=Marta&reenvio-protocolo=" + strings.Repeat("7", 61):    "reenvio-protocolo reenvio-confirmo",
		"reenvio-contato=+&reenvio-confirmo=S&contato=of+another+form+entirely": "reenvio-contato",
	} {
		f := mustParse(t, posted)
		got := f.Resend()
		if paths(f) != problems {
			t.Errorf("%q: got problems %q, want %q", posted, paths(f), problems)
		}
		if problems == "" && got != (desk.Inquiry{Contact: "Marta", CallProtocol: "77"}) {
			t.Errorf("%q: got %+v", posted, got)
		}
	}
}
