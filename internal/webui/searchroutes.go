package webui

import "net/http"

// searchRoutes are the routes that search by what is posted.
var searchRoutes = map[string]bool{
	"/busca/quem": true, "/busca/solicitantes": true, "/busca/elegibilidade": true,
	"/busca/credenciais": true, "/busca/procedimentos": true, "/historico": true, "/pessoas": true, "/auditoria": true,
	"/cadastros/unidades": true, "/cadastros/executantes": true, "/cadastros/procedimentos": true, "/cadastros/credenciais": true,
	"/servico/credenciais": true, "/servico/unidades": true, "/servico/profissionais": true, "/servico/registro": true,
	"/servico/descricao": true,
}

// isSearch reports whether a route searches.
func (r route) isSearch() bool { return r.method == http.MethodPost && searchRoutes[r.path] }
