package main

import (
	"net/http"
	"net/url"
	"strings"
)

// partners makes partner profiles of every kind, and for one of them every way in:
// live, ended, disabled.
func (w *world) partners() {
	all := w.partner("Parceiro de integração", values{"metodos": []string{"chave", "senha", "oauth"}, "limite": "0"})
	w.known.Keys["viva"] = w.secret(all, "/chaves", values{"validade-chave": "0"}, "code")
	w.known.Keys["com prazo"] = w.secret(all, "/chaves", values{"validade-chave": "90"}, "code")
	revoked := w.secret(all, "/chaves", values{"validade-chave": "30"}, "code")
	w.known.Keys["revogada"] = revoked
	w.admin.press(all, w.row(all, "…"+revoked[len(revoked)-4:], "/revogar"))
	for _, name := range []string{"Cliente vivo", "Cliente revogado"} {
		w.addClient(all, name)
	}
	for _, name := range []string{"programa", "desligado", "trocado", "voltou"} {
		w.known.Users[name] = w.secret(all, "/usuarios", values{"usuario": name}, "dd:last-of-type code")
	}
	w.tokens(all)

	w.partner("Parceiro restrito", values{"metodos": []string{"chave"}, "limite": "60",
		"escopos": []string{"credenciais:ler", "autorizacoes:ler"}})
	off := w.partner("Parceiro desativado", values{"metodos": []string{"oauth"}, "limite": "6"})
	w.addClient(off, "Cliente de parceiro desativado")
	w.known.Tokens["de parceiro desativado"] = w.grant("Cliente de parceiro desativado", "")
	w.admin.press(off, off+"/desativar")
	back := w.partner("Parceiro reativado", values{"metodos": []string{"senha"}})
	w.admin.press(back, back+"/desativar")
	w.admin.press(back, back+"/reativar")
	w.admin.fill(back, values{"nome": "Parceiro reativado e renomeado", "limite": "12"})
	w.credentials()
}

// partner makes a profile and returns its page.
func (w *world) partner(name string, typed values) string {
	typed["nome"] = name
	return w.admin.fill("/servico/parceiros/novo", typed).path
}

// secret asks for an access and returns what is shown once.
func (w *world) secret(partner, kind string, typed values, css string) string {
	p := w.admin.submit(partner, partner+kind, typed)
	return p.text("#segredo " + css)
}

func (w *world) addClient(partner, name string) {
	p := w.admin.submit(partner, partner+"/clientes", values{"cliente": name, "validade-cliente": "365"})
	codes := p.Find("#segredo code")
	w.known.Clients[name] = client{ID: codes.First().Text(), Secret: codes.Last().Text()}
}

// row is the address of a button in the row of a partner's page that holds a text.
func (w *world) row(page, text, end string) string {
	var found string
	rows := w.admin.see(page).Find("tbody tr")
	for i := range rows.Length() {
		row := rows.Eq(i)
		if !strings.Contains(row.Text(), text) {
			continue
		}
		forms := row.Find("form")
		for j := range forms.Length() {
			if a := forms.Eq(j).AttrOr("action", ""); strings.HasSuffix(a, end) {
				found = a
			}
		}
	}
	if found == "" {
		panic(page + " has no row " + text)
	}
	return found
}

// tokens leaves families of tokens in every state.
func (w *world) tokens(partner string) {
	w.known.Tokens["de cliente"] = w.grant("Cliente vivo", "")
	w.known.Tokens["de cliente, restrito"] = w.grant("Cliente vivo", "credenciais:ler cadastros:ler")
	w.known.Tokens["de cliente revogado"] = w.grant("Cliente revogado", "")
	w.admin.press(partner, w.row(partner, "Cliente revogado", "/revogar"))

	w.known.Tokens["de usuário"], w.known.Tokens["renovação"] = w.enter("programa")
	access, refresh := w.enter("programa")
	w.known.Tokens["renovada, antes"], w.known.Tokens["renovação gasta"] = access, refresh
	w.known.Tokens["renovada"], w.known.Tokens["renovação da renovada"] = w.refresh(refresh)
	access, refresh = w.enter("programa")
	w.known.Tokens["de família reusada"] = access
	w.refresh(refresh)
	w.refresh(refresh)
	w.known.Tokens["de usuário desativado"], _ = w.enter("desligado")
	w.admin.press(partner, w.row(partner, "desligado", "/desativar"))
	w.known.Tokens["de senha trocada"], _ = w.enter("trocado")
	p := w.admin.press(partner, w.row(partner, "trocado", "/senha"))
	w.known.Users["trocado"] = p.text("#segredo dd:last-of-type code")
	w.known.Tokens["encerrado no console"], _ = w.enter("trocado")
	sessions := partner + "/sessoes"
	w.admin.press(sessions, w.row(sessions, "trocado", "/encerrar"))
	w.admin.press(partner, w.row(partner, "voltou", "/desativar"))
	w.admin.press(partner, w.row(partner, "voltou", "/reativar"))
	w.send(&call{Path: "/api/v1/auth/login", Body: map[string]any{"usuario": "programa", "senha": "não é esta"}})
	w.admin.post(partner+"/usuarios", url.Values{"usuario": {"programa"}}) // there is one

	ended := w.partner("Parceiro de sessões encerradas", values{"metodos": []string{"oauth"}})
	w.addClient(ended, "Cliente de sessões encerradas")
	w.known.Tokens["de sessões encerradas"] = w.grant("Cliente de sessões encerradas", "")
	w.admin.press(ended+"/sessoes", ended+"/sessoes/encerrar")
}

// grant asks for a token by client credentials.
func (w *world) grant(name, scope string) string {
	c := w.known.Clients[name]
	form := url.Values{"grant_type": {"client_credentials"}, "client_id": {c.ID}, "client_secret": {c.Secret}}
	if scope != "" {
		form.Set("scope", scope)
	}
	res := must(http.PostForm(w.p.url+"/oauth/token", form))
	return text(decode(res), "access_token")
}

// enter logs a program's user in.
func (w *world) enter(name string) (access, refresh string) {
	return pair(w.send(&call{Path: "/api/v1/auth/login", Body: map[string]any{"usuario": name, "senha": w.known.Users[name]}}))
}

func (w *world) refresh(token string) (access, refresh string) {
	return pair(w.send(&call{Path: "/api/v1/auth/refresh", Body: map[string]any{"refresh_token": token}}))
}

func pair(answer map[string]any) (access, refresh string) {
	data, _ := answer["data"].(map[string]any)
	return text(data, "access_token"), text(data, "refresh_token")
}

// credentials gives the service credentials with every setting, and turns one off.
func (w *world) credentials() {
	a := w.admin
	a.fill("/servico/credenciais/nova", values{"nome": "Operadora exigente", "codigoPrestador": "778001", "validadeObrigatoria": "S",
		"exigeBiometria": "S", "formatoCarteira": `\d{9,17}`, "tempoLimite": "2", "anexosObrigatorios": "40901122\n409*",
		"indicacaoClinica": "Indicação da credencial", "contratado": "Clínica Beira-Rio (demonstração)", "cnes": "0000000",
		"registroANS": "000000"})
	a.fill("/servico/credenciais/nova", values{"nome": "Operadora lenta", "tempoLimite": "2"})
	a.fill("/servico/credenciais/nova", values{"nome": "Operadora demorada", "tempoLimite": "600"})
	a.fill("/servico/credenciais/nova", values{"nome": "Operadora desligada"})
	off := w.entry("/servico/credenciais", "Operadora desligada")
	a.press(off, off+"/desativar")
	back := w.entry("/servico/credenciais", "Vale Sereno")
	a.press(back, back+"/desativar")
	a.press(back, back+"/reativar")
	a.fill(back, values{"tempoLimite": "40"})
}
