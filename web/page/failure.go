package page

import (
	"cmp"

	"guiche/web/component"
	"guiche/web/layout"
)

// FailureView is the page of 403, 404, 405, 413, 500 and their like: what happened
// in the same voice, and a way on.
type FailureView struct {
	layout.Page
	Heading string
	Text    string
	ID      string // of the log line, for 500; "" elsewhere
	Next    component.Link
	Again   *Again // what was typed, to be sent once more; nil for nothing
}

// text is what happened, with the number to quote where there is one.
func (v FailureView) text() string {
	if v.ID == "" {
		return v.Text
	}
	return v.Text + " " + v.ID
}

// Again is a form that could not be taken now.
type Again struct {
	Path    string
	Carried []Carried
	Text    string // of the button, "" for the usual one
}

func (a Again) button() string { return cmp.Or(a.Text, "Tentar de novo com o que foi digitado") }

// FailureOf returns the page of a status; an unknown one reads as 500.
// The caller sets Page and, for 500, ID.
func FailureOf(status int) FailureView {
	f, ok := failures[status]
	if !ok {
		f = failures[500]
	}
	f.Title = f.Heading
	return f
}

// NoDesk is shown to a user without administração where the service runs without a
// desk. The caller sets Page.
func NoDesk() FailureView {
	return FailureView{Heading: "Este endereço não tem balcão", Next: component.Link{Href: "/conta", Text: "Abrir Minha conta"},
		Text: "Aqui funciona só o serviço de autorização, e quem cuida dele é a administração. " +
			"Para atender pacientes, peça à administração o endereço do balcão da clínica."}
}

var toQueue = component.Link{Href: "/fila", Text: "Voltar à fila"}

var failures = map[int]FailureView{
	400: {Heading: "Não deu para ler o pedido",
		Text: "O navegador enviou algo que não conseguimos ler. Volte e tente de novo.", Next: toQueue},
	403: {Heading: "Seu acesso não inclui esta página",
		Text: "Se o seu trabalho precisa dela, fale com a administração do Guichê.", Next: toQueue},
	404: {Heading: "Não encontramos esta página", Text: "O endereço pode estar errado, ou o pedido é de outra unidade.", Next: toQueue},
	405: {Heading: "Este endereço não se abre assim", Text: "Ele recebe formulários. Volte e use o botão da página.", Next: toQueue},
	409: {Heading: "Isto mudou em outra aba", Text: "O que você enviou não foi gravado, para não apagar o mais novo.", Next: toQueue},
	413: {Heading: "O arquivo é grande demais",
		Text: "Cada anexo pode ter até 15 MB, e todos juntos até 60 MB. Digitalize em tons de cinza, ou envie menos páginas.", Next: toQueue},
	415: {Heading: "Este tipo de arquivo não é aceito", Text: "Envie PDF, JPG ou PNG.", Next: toQueue},
	429: {Heading: "Muitas tentativas", Text: "Espere um pouco e tente de novo.",
		Next: component.Link{Href: "/entrar", Text: "Voltar à entrada"}},
	500: {Heading: "Algo falhou do nosso lado",
		Text: "O que você já salvou está guardado. Tente de novo; se repetir, diga à administração o número abaixo.", Next: toQueue},
	507: {Heading: "Falta espaço no disco do servidor",
		Text: "Isto não foi gravado. O que você já salvou está guardado. Avise a administração.", Next: toQueue},
	503: {Heading: "O serviço não está disponível agora",
		Text: "O que você já salvou está guardado. Tente de novo em alguns minutos.", Next: toQueue},
}
