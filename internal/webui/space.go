package webui

import (
	"guiche/internal/account"
	"guiche/internal/diskspace"
	"guiche/internal/permission"
	"guiche/web/layout"
)

// spaceAlerts tells everybody what is refused while disk space is short, and
// administração how much there is.
func (s *server) spaceAlerts(user account.User) []layout.Alert {
	state, err := s.Space()
	if err != nil || state.Level == diskspace.Enough {
		return nil // whoever writes then is told
	}
	text := "Arquivos não são recebidos por enquanto; todo o resto funciona."
	if state.Level == diskspace.NothingNew {
		text = "Nada novo pode ser guardado por enquanto: nem rascunhos, nem pedidos, nem arquivos. " +
			"Consultar funciona, e o que já foi enviado segue normalmente."
	}
	if user.May(permission.ManagePeople) {
		text += " Livres: " + diskspace.Megabytes(state.Free) + "; necessários: " + diskspace.Megabytes(state.Needed) +
			". Libere espaço no disco da pasta de dados; o Guichê volta ao normal sozinho."
	} else {
		text += " A administração já vê este aviso."
	}
	return []layout.Alert{{Strong: "Falta espaço no disco do servidor.", Text: text}}
}
