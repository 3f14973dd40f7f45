package webui

import (
	"net/http"
	"slices"

	"guiche/internal/account"
	"guiche/internal/permission"
	"guiche/web/page"

	"github.com/labstack/echo/v4"
)

// Whom a route admits that asks for no permission.
const (
	open   permission.Permission = "open"   // anybody
	person permission.Permission = "person" // whoever is logged in
)

// route is one address with whom it admits. Access is part of the table, so that a test
// can check that no address lacks it.
type route struct {
	method, path string
	access       permission.Permission // or open, or person
	handler      echo.HandlerFunc
}

// routes are all addresses of the installation.
func (s *server) routes() []route {
	const get, post = http.MethodGet, http.MethodPost
	all := append(s.consoleRoutes(), []route{
		{get, "/healthz", open, s.health},
		{get, "/readyz", open, s.readiness},
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

		{get, "/pessoas", permission.ManagePeople, s.people},
		{post, "/pessoas", permission.ManagePeople, s.people},
		{get, "/pessoas/nova", permission.ManagePeople, s.newPersonForm},
		{post, "/pessoas/nova", permission.ManagePeople, s.addPerson},
		{get, "/pessoas/:uid", permission.ManagePeople, s.person},
		{post, "/pessoas/:uid", permission.ManagePeople, s.changePerson},
		{post, "/pessoas/:uid/convite", permission.ManagePeople, s.invitePerson},
		{post, "/pessoas/:uid/desativar", permission.ManagePeople, s.disablePerson},
		{post, "/pessoas/:uid/reativar", permission.ManagePeople, s.enablePerson},
		{post, "/pessoas/:uid/sessoes/encerrar", permission.ManagePeople, s.endSessionsOf},
		{post, "/pessoas/:uid/sessoes/:sessao/encerrar", permission.ManagePeople, s.endSessionOf},

		{get, "/auditoria", permission.ReadAudit, s.audit},
		{post, "/auditoria", permission.ReadAudit, s.filterAudit},
		{post, "/auditoria/conferir", permission.ReadAudit, s.checkTrail},
		{post, "/auditoria/alarme", permission.ReadAudit, s.endAlarm},

		{get, "/copias", permission.ManageBackups, s.backups},
		{post, "/copias/fazer", permission.ManageBackups, s.askForBackup},
		{get, "/integridade", permission.ManageBackups, s.integrity},
		{post, "/integridade/conferir", permission.ManageBackups, s.recheck},
	}...)
	return append(all, s.product.productRoutes()...)
}

// productRoutes are the addresses of the desk.
func (s *deskHandlers) productRoutes() []route {
	return slices.Concat(s.queueRoutes(), s.formRoutes(), s.caseRoutes(), s.connectionRoutes(), s.directoryRoutes(), s.switches())
}

// queueRoutes are the addresses of the queue.
func (s *deskHandlers) queueRoutes() []route {
	const get, post = http.MethodGet, http.MethodPost
	return []route{
		{get, "/fila", permission.SeePatients, s.queue},
		{get, "/fila/proximo", permission.SeePatients, s.nextCase},
		{get, "/ajuda/exemplo", permission.SeePatients, s.exampleCase},
	}
}

// formRoutes are the addresses of a new request, and of what fills its form.
func (s *deskHandlers) formRoutes() []route {
	const get, post = http.MethodGet, http.MethodPost
	return []route{
		{get, "/nova", permission.SeePatients, s.newForm},
		{get, "/nova/:uid", permission.SeePatients, s.draftForm},
		{post, "/nova/:uid", permission.SeePatients, s.saveDraft},
		{post, "/nova/:uid/descartar", permission.SeePatients, s.discardDraft},
		{post, "/nova/:uid/revisar", permission.SeePatients, s.review},
		{post, "/nova/:uid/enviar", permission.SeePatients, s.submit},
		{post, "/nova/:uid/anexos", permission.SeePatients, s.attach},
		{post, "/nova/:uid/anexos/juntar", permission.SeePatients, s.joinPhotos},
		{post, "/nova/:uid/anexos/usar", permission.SeePatients, s.attachAgain},
		{get, "/nova/:uid/celular", permission.SeePatients, s.phoneState},
		{post, "/nova/:uid/celular", permission.SeePatients, s.askForPhone},
		{post, "/nova/:uid/celular/encerrar", permission.SeePatients, s.endPhone},
		{get, phoneRoute, open, s.phonePage},
		{post, phoneRoute, open, s.enterPhone},
		{post, phoneRoute + "/anexos", open, s.attachFromPhone},
		{get, "/nova/:uid/anexos/:anexo", permission.SeePatients, s.draftAttachment},
		{post, "/nova/:uid/anexos/:anexo/remover", permission.SeePatients, s.removeAttachment},
		{post, "/busca/credenciais", permission.SeePatients, s.searchCredentials},
		{post, "/busca/quem", permission.SeePatients, s.searchWho},
		{post, "/busca/solicitantes", permission.SeePatients, s.searchRequesters},
		{post, "/busca/procedimentos", permission.SeePatients, s.searchProcedures},
		{post, "/busca/elegibilidade", permission.SeePatients, s.askEligibility},
	}
}

// caseRoutes are the addresses of the history and of a case.
func (s *deskHandlers) caseRoutes() []route {
	const get, post = http.MethodGet, http.MethodPost
	return []route{
		{get, "/historico", permission.SeePatients, s.history},
		{post, "/historico", permission.SeePatients, s.searchHistory},
		{get, "/historico/:uid", permission.SeePatients, s.filteredHistory},

		{get, "/casos/:uid", permission.SeePatients, s.showCase},
		{get, "/casos/:uid/estado", permission.SeePatients, s.caseState},
		{get, "/casos/:uid/guias/:indice", permission.SeePatients, s.guide},
		{get, "/casos/:uid/anexos/:anexo", permission.SeePatients, s.caseAttachment},
		{post, "/casos/:uid/retirar", permission.SeePatients, s.withdraw},
		{post, "/casos/:uid/copiar", permission.SeePatients, s.copyCase},
		{post, "/casos/:uid/repetir", permission.SeePatients, s.repeatCase},
		{post, "/casos/:uid/concluir", permission.SeePatients, s.concludeCase},
		{get, "/casos/:uid/ato", permission.SeePatients, s.actState},
		{post, "/casos/:uid/biometria", permission.SeePatients, s.sendBiometrics},
		{post, "/casos/:uid/anexos", permission.SeePatients, s.addAttachments},
		{get, "/casos/:uid/cancelar", permission.CancelAuthorizations, s.cancelPage},
		{post, "/casos/:uid/cancelar", permission.CancelAuthorizations, s.cancel},
		{get, "/casos/:uid/comprovante", permission.SeePatients, s.receipt},
		{post, "/casos/:uid/reabrir", permission.SeePatients, s.reopenCase},
		{get, "/casos/:uid/anotar", permission.SeePatients, s.openForm(page.NoteForm)},
		{post, "/casos/:uid/anotar", permission.SeePatients, s.addNote},
		{get, "/casos/:uid/reanalise", permission.SeePatients, s.openForm(page.ReviewForm)},
		{post, "/casos/:uid/reanalise", permission.SeePatients, s.recordReview},
		{get, "/casos/:uid/particular", permission.SeePatients, s.openForm(page.PrivateForm)},
		{post, "/casos/:uid/particular", permission.SeePatients, s.concludePrivate},
		{get, "/casos/:uid/retorno", permission.DecideUnknown, s.replyForm},
		{post, "/casos/:uid/retorno", permission.DecideUnknown, s.recordReply},
		{post, resendRoute, permission.DecideUnknown, s.resend},
	}
}

// connectionRoutes are the addresses of the connection to the service.
func (s *deskHandlers) connectionRoutes() []route {
	const get, post = http.MethodGet, http.MethodPost
	return []route{
		{get, "/servico/conexao", permission.ManageConnection, s.connection},
		{post, "/servico/conexao", permission.ManageConnection, s.setConnection},
		{post, "/servico/conexao/testar", permission.ManageConnection, s.testConnection},
	}
}

// directoryRoutes are the addresses of what is registered here.
func (s *deskHandlers) directoryRoutes() []route {
	const get, post = http.MethodGet, http.MethodPost
	return []route{
		{get, "/cadastros", permission.ManageDirectory, s.directory},
		{get, "/cadastros/sincronizar", permission.ManageDirectory, s.comparison},
		{post, "/cadastros/sincronizar", permission.ManageDirectory, s.synchronise},
		{get, "/cadastros/unidades", permission.ManageDirectory, s.units},
		{post, "/cadastros/unidades", permission.ManageDirectory, s.units},
		{get, "/cadastros/unidades/nova", permission.ManageDirectory, s.newUnit},
		{post, "/cadastros/unidades/nova", permission.ManageDirectory, s.addUnit},
		{get, "/cadastros/unidades/:uid", permission.ManageDirectory, s.unit},
		{post, "/cadastros/unidades/:uid", permission.ManageDirectory, s.changeUnit},
		{get, "/cadastros/executantes", permission.ManageDirectory, s.professionals},
		{post, "/cadastros/executantes", permission.ManageDirectory, s.professionals},
		{get, "/cadastros/executantes/novo", permission.ManageDirectory, s.newProfessional},
		{post, "/cadastros/executantes/novo", permission.ManageDirectory, s.addProfessional},
		{get, "/cadastros/executantes/:uid", permission.ManageDirectory, s.professional},
		{post, "/cadastros/executantes/:uid", permission.ManageDirectory, s.changeProfessional},
		{get, "/cadastros/procedimentos", permission.ManageDirectory, s.procedures},
		{post, "/cadastros/procedimentos", permission.ManageDirectory, s.procedures},
		{get, "/cadastros/procedimentos/novo", permission.ManageDirectory, s.newProcedure},
		{post, "/cadastros/procedimentos/novo", permission.ManageDirectory, s.addProcedure},
		{get, "/cadastros/procedimentos/:codigo", permission.ManageDirectory, s.procedure},
		{post, "/cadastros/procedimentos/:codigo", permission.ManageDirectory, s.changeProcedure},
		{get, "/cadastros/credenciais", permission.ManageDirectory, s.credentials},
		{post, "/cadastros/credenciais", permission.ManageDirectory, s.credentials},
		{post, "/cadastros/credenciais/atualizar", permission.ManageDirectory, s.askCredentials},
		{get, "/cadastros/credenciais/:uid", permission.ManageDirectory, s.credential},
		{post, "/cadastros/credenciais/:uid", permission.ManageDirectory, s.setCredential},
	}
}

// guarded lets only those through whom the route admits.
func (s *server) guarded(r route) echo.HandlerFunc {
	return func(c echo.Context) error {
		r.sendPlain(c)
		if r.isProbe() {
			return r.handler(c)
		}
		user, err := s.authenticate(c)
		if err != nil {
			return err
		}
		switch {
		case r.access == open:
		case user == nil:
			return s.askToLogIn(c, r)
		default:
			if err := s.letIn(c, r, *user); err != nil {
				return err
			}
		}
		if r.isSensitive() {
			if through, err := s.confirmed(c, *user); err != nil || !through {
				return err
			}
		}
		if searchedLists[r.path] {
			return s.listed(c, r.handler)
		}
		return r.handler(c)
	}
}

// letIn refuses a user whom the route does not admit, or who searches too much.
func (s *server) letIn(c echo.Context, r route, user account.User) error {
	if err := r.admits(user); err != nil {
		return err
	}
	if r.isSearch() {
		if err := s.Accounts.CountSearch(user.UID, s.clock()); err != nil {
			return err
		}
	}
	s.lookAgain(c, r)
	return nil
}
