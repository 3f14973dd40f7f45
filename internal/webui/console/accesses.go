package console

import (
	"context"
	"slices"
	"strconv"
	"time"

	"guiche/internal/problem"
	"guiche/internal/service/access"
	"guiche/web/component"
	"guiche/web/page"
)

// endedRows is how many accesses are shown that are no longer valid.
const endedRows = 10

// accesses lists what a partner comes in with. The desk's own has keys alone.
func (k *console) accesses(ctx context.Context, p access.Profile, path string) ([]page.AccessList, error) {
	lists := []func(context.Context, access.Profile, string) (page.AccessList, error){k.keyList, k.clientList, k.userList}
	if p.Permanent() {
		lists = lists[:1]
	}
	var all []page.AccessList
	for _, list := range lists {
		a, err := list(ctx, p, path)
		if err != nil {
			return nil, err
		}
		all = append(all, a)
	}
	return all, nil
}

// unusable says why a kind of access is not accepted, "" when it is.
func unusable(p access.Profile, m access.Method) string {
	if slices.Contains(p.Methods, m) {
		return ""
	}
	return "Não vale agora: este modo de entrar não está marcado acima."
}

// keyList lists a partner's API keys by the hint of their last characters: the key
// itself is shown once, when it is made. Only live keys can be revoked.
func (k *console) keyList(ctx context.Context, p access.Profile, path string) (page.AccessList, error) {
	keys, err := k.admin.Keys(ctx, p.ID)
	list := page.AccessList{Slug: "chaves", Title: "Chaves de API",
		Purpose: "Vão no cabeçalho x-api-key de cada pedido. Para trocar sem parar: crie outra, instale e revogue a antiga.",
		Note:    unusable(p, access.MethodAPIKey), Idle: idleField("validade-chave"), Button: "Criar chave"}
	if p.Permanent() {
		list.Purpose = "Cada início do Guichê faz uma; as que ninguém mais usa vencem sozinhas."
	}
	for _, key := range keys {
		row := page.AccessRow{Name: "…" + key.Hint, Detail: idleWords(key.Idle), Created: k.web.When(key.CreatedAt), Used: k.used(key.UsedAt)}
		live := key.Live(k.web.Now())
		if row.State = endState(live, key.RevokedAt); live {
			row.Actions = []page.AccessAction{{Path: path + "/chaves/" + key.ID.String() + "/revogar", Text: "Revogar",
				Question: "Revogar a chave? Ela deixa de valer já no próximo pedido, para sempre."}}
		}
		list.Rows = append(list.Rows, row)
	}
	list.Rows = liveFirst(list.Rows)
	return list, err
}

// clientList lists a partner's OAuth clients with their client_id, which is no secret.
// Revoking one ends its tokens too.
func (k *console) clientList(ctx context.Context, p access.Profile, path string) (page.AccessList, error) {
	clients, err := k.admin.Clients(ctx, p.ID)
	list := page.AccessList{Slug: "clientes", Title: "Clientes OAuth",
		Purpose: "Trocam client_id e client_secret por um token em /oauth/token.",
		Note:    unusable(p, access.MethodOAuth), Field: &component.Field{Name: "cliente", Label: "Nome do cliente"},
		Idle: idleField("validade-cliente"), Button: "Criar cliente"}
	for _, client := range clients {
		row := page.AccessRow{Name: client.Name, Detail: client.ID.String() + " · " + idleWords(client.Idle),
			Created: k.web.When(client.CreatedAt), Used: k.used(client.UsedAt)}
		live := client.Live(k.web.Now())
		if row.State = endState(live, client.RevokedAt); live {
			row.Actions = []page.AccessAction{{Path: path + "/clientes/" + client.ID.String() + "/revogar", Text: "Revogar",
				Question: "Revogar o cliente? Ele e todos os seus tokens deixam de valer agora, para sempre."}}
		}
		list.Rows = append(list.Rows, row)
	}
	list.Rows = liveFirst(list.Rows)
	return list, err
}

// userList lists a partner's users. They are disabled and not revoked, so that a name
// stays taken and can be put back into use.
func (k *console) userList(ctx context.Context, p access.Profile, path string) (page.AccessList, error) {
	users, err := k.admin.Users(ctx, p.ID)
	list := page.AccessList{Slug: "usuarios", Title: "Usuários",
		Purpose: "Entram por /api/v1/auth/login e recebem tokens. São de programas, não de pessoas.",
		Note:    unusable(p, access.MethodPassword), Field: &component.Field{Name: "usuario", Label: "Nome do usuário",
			Autocomplete: "off"}, Button: "Criar usuário"}
	for _, user := range users {
		act := func(last, text, question string) page.AccessAction {
			return page.AccessAction{Path: path + "/usuarios/" + user.ID.String() + "/" + last, Text: text, Question: question}
		}
		actions := []page.AccessAction{act("senha", "Trocar a senha", "Trocar a senha? A atual e os tokens abertos deixam de valer agora."),
			act("desativar", "Desativar", "Desativar o usuário? Os tokens dele deixam de valer agora.")}
		if user.Disabled {
			actions = []page.AccessAction{act("reativar", "Reativar", "")}
		}
		list.Rows = append(list.Rows, page.AccessRow{Name: user.Name, Created: k.web.When(user.CreatedAt), Used: k.used(user.UsedAt),
			State: stateOf(user.Disabled), Actions: actions})
	}
	return list, err
}

// used is when an access was last used, "nunca" when it never was: the administrator
// looks for those that can go.
func (k *console) used(at time.Time) string {
	if at.IsZero() {
		return "nunca"
	}
	return k.web.When(at)
}

// endState tells an access that somebody revoked from one that ended because nobody used
// it: only the first was a decision.
func endState(live bool, revokedAt time.Time) component.Situation {
	switch {
	case live:
		return inUse
	case revokedAt.IsZero():
		return component.Situation{Tone: component.ToneNeutral, Icon: "clock", Label: "Vencido sem uso"}
	}
	return component.Situation{Tone: component.ToneNeutral, Icon: "dash-lg", Label: "Revogado"}
}

// liveFirst puts valid accesses before the newest of those that are not.
func liveFirst(rows []page.AccessRow) []page.AccessRow {
	var live, ended []page.AccessRow
	for _, row := range rows {
		if row.State == inUse {
			live = append(live, row)
		} else if len(ended) < endedRows {
			ended = append(ended, row)
		}
	}
	return append(live, ended...)
}

// idleDays are the choices of how long without use an access may be; 0 is for
// ever.
var idleDays = []int{0, 30, 90, 365}

// idleField is the choice of how long without use an access stays valid.
func idleField(name string) *component.Select {
	s := component.Select{Field: component.Field{Name: name, Label: "Termina"}}
	for _, days := range idleDays {
		s.Choices = append(s.Choices, component.Choice{Value: strconv.Itoa(days), Label: idleLabel(days)})
	}
	return &s
}

// idleLabel is a choice of idleField in words; 0 days means until it is revoked.
func idleLabel(days int) string {
	if days == 0 {
		return "só por revogação"
	}
	return strconv.Itoa(days) + " dias sem uso"
}

// idleWords says in a row of the list when the access ends by itself; 0 is never.
func idleWords(idle time.Duration) string {
	if idle == 0 {
		return "sem prazo"
	}
	return "termina com " + count(int(idle/(24*time.Hour)), "dia", "dias") + " sem uso"
}

// readIdle reads a choice of idleField; nothing chosen is for ever.
func readIdle(name, typed string) (time.Duration, error) {
	if typed == "" {
		return 0, nil
	}
	days, err := strconv.Atoi(typed)
	if err != nil || !slices.Contains(idleDays, days) {
		return 0, problem.InvalidFields([]problem.Field{{Path: name, Code: "dominio", Message: "Escolha um prazo da lista."}})
	}
	return time.Duration(days) * 24 * time.Hour, nil
}
