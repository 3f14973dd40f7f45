package webui

import (
	"net/http"

	"guiche/internal/account"
	"guiche/internal/problem"

	"github.com/labstack/echo/v4"
)

// access says who may use a route.
type access int

const (
	open           access = iota // anybody
	person                       // whoever is logged in
	clinical                     // recepção and supervisão: people who see patients' data
	administration               // administração: people, directory, audit; no patients' data
)

type route struct {
	method, path string
	access       access
	handler      echo.HandlerFunc
}

// routes is the whole surface of the installation: the desk's pages where there is
// one, and the rest everywhere.
func (s *server) routes() []route {
	const get, post = http.MethodGet, http.MethodPost
	all := append(s.consoleRoutes(), []route{
		{get, "/healthz", open, s.health},
		{get, "/entrar", open, s.loginForm},
		{post, "/entrar", open, s.login},
		{post, "/sair", open, s.logout},
		{get, "/ativar/:token", open, s.activationForm},
		{post, "/ativar/:token", open, s.activate},

		{get, "/", person, s.home},
		{get, "/ajuda", person, s.help},
		{get, "/conta", person, s.account},
		{post, "/conta/senha", person, s.changePassword},
		{post, "/conta/preferencias", person, s.setPreferences},
		{post, "/conta/sessoes/encerrar", person, s.endOtherSessions},
		{post, "/conta/sessoes/:sessao/encerrar", person, s.endOwnSession},

		{get, "/pessoas", administration, s.people},
		{post, "/pessoas", administration, s.searchPeople},
		{get, "/pessoas/nova", administration, s.newPersonForm},
		{post, "/pessoas/nova", administration, s.addPerson},
		{get, "/pessoas/:uid", administration, s.person},
		{post, "/pessoas/:uid", administration, s.changePerson},
		{post, "/pessoas/:uid/convite", administration, s.invitePerson},
		{post, "/pessoas/:uid/desativar", administration, s.disablePerson},
		{post, "/pessoas/:uid/reativar", administration, s.enablePerson},
		{post, "/pessoas/:uid/sessoes/encerrar", administration, s.endSessionsOf},
		{post, "/pessoas/:uid/sessoes/:sessao/encerrar", administration, s.endSessionOf},

		{get, "/auditoria", administration, s.audit},
		{post, "/auditoria", administration, s.filterAudit},
		{post, "/auditoria/conferir", administration, s.checkTrail},
	}...)
	if s.front != nil {
		all = append(all, s.front.routes()...)
	}
	return all
}

// routes is what the desk adds.
func (s *front) routes() []route {
	const get, post = http.MethodGet, http.MethodPost
	return append([]route{
		{get, "/fila", clinical, s.queue},
		{get, "/nova", clinical, s.newForm},
		{get, "/nova/:uid", clinical, s.draftForm},
		{post, "/nova/:uid", clinical, s.saveDraft},
		{post, "/nova/:uid/descartar", clinical, s.discardDraft},
		{post, "/nova/:uid/revisar", clinical, s.review},
		{post, "/nova/:uid/enviar", clinical, s.submit},
		{post, "/nova/:uid/anexos", clinical, s.attach},
		{get, "/nova/:uid/anexos/:anexo", clinical, s.draftAttachment},
		{post, "/nova/:uid/anexos/:anexo/remover", clinical, s.removeAttachment},
		{post, "/busca/credenciais", clinical, s.searchCredentials},
		{post, "/busca/procedimentos", clinical, s.searchProcedures},

		{get, "/historico", clinical, s.history},
		{post, "/historico", clinical, s.searchHistory},
		{get, "/historico/:uid", clinical, s.filteredHistory},

		{get, "/casos/:uid", clinical, s.showCase},
		{get, "/casos/:uid/estado", clinical, s.caseState},
		{get, "/casos/:uid/guias/:indice", clinical, s.guide},
		{get, "/casos/:uid/anexos/:anexo", clinical, s.caseAttachment},
		{post, "/casos/:uid/retirar", clinical, s.withdraw},
		{post, "/casos/:uid/copiar", clinical, s.copyCase},

		{get, "/servico/conexao", administration, s.connection},
		{post, "/servico/conexao", administration, s.setConnection},
		{post, "/servico/conexao/testar", administration, s.testConnection},

		{get, "/cadastros", administration, s.directory},
		{get, "/cadastros/sincronizar", administration, s.comparison},
		{post, "/cadastros/sincronizar", administration, s.synchronise},
		{get, "/cadastros/unidades", administration, s.units},
		{post, "/cadastros/unidades", administration, s.units},
		{get, "/cadastros/unidades/nova", administration, s.newUnit},
		{post, "/cadastros/unidades/nova", administration, s.addUnit},
		{get, "/cadastros/unidades/:uid", administration, s.unit},
		{post, "/cadastros/unidades/:uid", administration, s.changeUnit},
		{get, "/cadastros/executantes", administration, s.professionals},
		{post, "/cadastros/executantes", administration, s.professionals},
		{get, "/cadastros/executantes/novo", administration, s.newProfessional},
		{post, "/cadastros/executantes/novo", administration, s.addProfessional},
		{get, "/cadastros/executantes/:uid", administration, s.professional},
		{post, "/cadastros/executantes/:uid", administration, s.changeProfessional},
		{get, "/cadastros/procedimentos", administration, s.procedures},
		{post, "/cadastros/procedimentos", administration, s.procedures},
		{get, "/cadastros/procedimentos/novo", administration, s.newProcedure},
		{post, "/cadastros/procedimentos/novo", administration, s.addProcedure},
		{get, "/cadastros/procedimentos/:codigo", administration, s.procedure},
		{post, "/cadastros/procedimentos/:codigo", administration, s.changeProcedure},
		{get, "/cadastros/credenciais", administration, s.credentials},
		{post, "/cadastros/credenciais", administration, s.credentials},
		{post, "/cadastros/credenciais/atualizar", administration, s.askCredentials},
		{get, "/cadastros/credenciais/:uid", administration, s.credential},
		{post, "/cadastros/credenciais/:uid", administration, s.setCredential},
	}, s.switches()...)
}

// guarded lets only those through whom the route admits.
func (s *server) guarded(r route) echo.HandlerFunc {
	return func(c echo.Context) error {
		user, err := s.authenticate(c)
		if err != nil {
			return err
		}
		switch {
		case r.access == open:
		case user == nil:
			return s.askToLogIn(c)
		case r.access == clinical && !user.SeesClinicalData(), r.access == administration && !user.Has(account.Administration):
			return problem.New(problem.Forbidden, "Seu acesso não inclui esta página.")
		}
		return r.handler(c)
	}
}
