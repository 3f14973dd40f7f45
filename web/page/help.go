package page

import (
	"strings"

	"guiche/internal/authorization"
	"guiche/web/component"
	"guiche/web/layout"
)

// HelpView is GET /ajuda.
type HelpView struct {
	layout.Page
	DemoCards []DemoCard // what to type in the demonstration; empty elsewhere
	Roles     []Option   // what each role may do
}

// desk reports whether the page may lead to the queue.
func (h HelpView) desk() bool { return h.Person != nil && h.Person.Desk }

// helpChapter is a chapter of the manual.
type helpChapter struct{ id, title string }

var (
	newChapter        = helpChapter{"novo-pedido", "Novo pedido"}
	whoChapter        = helpChapter{"quem", "Quem é?"}
	filesChapter      = helpChapter{"anexos", "Anexos"}
	reviewChapter     = helpChapter{"revisar", "Revisar e enviar"}
	queueChapter      = helpChapter{"acompanhar", "Acompanhar"}
	askedChapter      = helpChapter{"depois", "Anexo, biometria, sessões e cancelamento"}
	deniedChapter     = helpChapter{"negado", "Negado, ou a corrigir"}
	doubtChapter      = helpChapter{"sem-resposta", "Enviado sem resposta"}
	attendChapter     = helpChapter{"atender", "Senhas e atendimento"}
	situationsChapter = helpChapter{"situacoes", "Situações, pelo que você faz"}
	keysChapter       = helpChapter{"teclas", "Teclas"}
	rolesChapter      = helpChapter{"papeis", "Papéis, e o que cada um pode"}
)

// chapters are those of the page, in its order.
func (h HelpView) chapters() []helpChapter {
	all := []helpChapter{newChapter, whoChapter, filesChapter, reviewChapter, queueChapter, askedChapter, deniedChapter, doubtChapter,
		attendChapter, situationsChapter, keysChapter, rolesChapter}
	if len(h.DemoCards) > 0 {
		all = append(all, helpChapter{"demonstracao", h.cardsTitle()})
	}
	return all
}

// DemoCard says what the simulated operators do with a card.
type DemoCard struct {
	Card    string // how the number begins; any digits may follow
	Happens string
}

func (h HelpView) cardsTitle() string {
	if h.Standalone {
		return "Que carteira enviar"
	}
	return "Demonstração: o que digitar"
}

// statusGroup is one row of the table of situations.
type statusGroup struct {
	Tone          component.Tone
	Label, Advice string
	Slug          string
	Waits         bool // for what the operator says
	Badges        []codedBadge
}

type codedBadge struct {
	component.Situation
	Codes string // "I Ç"
}

// statusGroups lists the groups with their badges; codes that share a label share one.
func statusGroups() []statusGroup {
	var all []statusGroup
	for _, group := range authorization.Groups() {
		info := group.Info()
		row := statusGroup{Tone: component.GroupTone(group), Label: info.Label, Advice: info.Advice, Slug: info.Slug,
			Waits: group == authorization.Waiting}
		for _, status := range authorization.Statuses() {
			if status.Group == group {
				row.add(status.Code)
			}
		}
		all = append(all, row)
	}
	return all
}

func (g *statusGroup) add(code authorization.Status) {
	shown := component.StatusSituation(code)
	if n := len(g.Badges); n > 0 && g.Badges[n-1].Label == shown.Label {
		g.Badges[n-1].Codes = strings.TrimSpace(g.Badges[n-1].Codes + " " + string(code))
		return
	}
	g.Badges = append(g.Badges, codedBadge{shown, string(code)})
}

// localBadges are the situations that only Guichê knows.
func localBadges() []component.Situation {
	return append(component.LocalSituations(), component.StatusSituation("X9"))
}

// helpKey is one line of the keyboard map.
type helpKey struct {
	Keys []string
	Does string
}

func helpKeys() []helpKey {
	return []helpKey{
		{[]string{"F2"}, "Nova autorização"},
		{[]string{"F4"}, "Buscar um pedido; no formulário, o beneficiário ou a operadora"},
		{[]string{"F7"}, "No formulário: perguntar à operadora se a carteira está elegível; num caso que pede anexo: enviá-lo. " +
			"Onde o serviço oferece"},
		{[]string{"F8"}, "Revisar e enviar; depois Enter confirma. Num pedido: concluir e tirar da fila"},
		{[]string{"Ctrl", "Enter"}, "O mesmo que F8. Enquanto se escreve uma anotação ou um retorno, as duas guardam o que foi escrito"},
		{[]string{"F9"}, "Abrir o próximo pedido da fila que depende de você"},
		{[]string{"Ctrl", "V"}, "No formulário, anexar a imagem ou o arquivo copiado"},
		{[]string{"↓", "Enter"}, "Andar na lista e aceitar a opção"},
		{[]string{"Enter"}, "Ir ao próximo campo; na quantidade, acrescentar uma linha"},
		{[]string{"Esc"}, "Fechar painel ou lista, sem perder nada; num pedido, voltar à fila"},
		{[]string{"Tab"}, "Ir ao próximo campo, na ordem da tela"},
	}
}

// functionKeys names what each function key does; the others are the browser's.
func functionKeys() []helpKey {
	does := map[string]string{"F2": "Nova", "F4": "Buscar", "F7": "Elegibi\u00adlidade", "F8": "Revisar", "F9": "Próximo"}
	var all []helpKey
	for _, key := range []string{"F1", "F2", "F3", "F4", "F5", "F6", "F7", "F8", "F9", "F10", "F11", "F12"} {
		all = append(all, helpKey{[]string{key}, does[key]})
	}
	return all
}
