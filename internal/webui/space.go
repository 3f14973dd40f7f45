package webui

import (
	"maps"
	"slices"

	"guiche/internal/account"
	"guiche/internal/diskspace"
	"guiche/internal/permission"
	"guiche/internal/problem"
	"guiche/web/layout"
	"guiche/web/page"

	"github.com/labstack/echo/v4"
)

// shortage tells everybody what is refused while disk space is short, and
// administração how much there is; nil while there is enough.
func (s *server) shortage(user account.User) *layout.Alert {
	state, err := s.Space()
	if err != nil || state.Level == diskspace.Enough {
		return nil // whoever writes then is told
	}
	text := "Arquivos não são recebidos por enquanto; todo o resto funciona."
	if state.Level == diskspace.NothingNew {
		text = s.product.shortageText()
	}
	if user.May(permission.ManagePeople) {
		text += " Livres: " + diskspace.Megabytes(state.Free) + "; necessários: " + diskspace.Megabytes(state.Needed) +
			". Libere espaço no disco da pasta de dados; o Guichê volta ao normal sozinho."
	} else {
		text += " A administração já vê este aviso."
	}
	return &layout.Alert{Strong: "Falta espaço no disco do servidor.", Text: text}
}

// secretForms are the forms that are not carried: they hold passwords.
var secretForms = map[string]bool{"/entrar": true, "/ativar/:token": true, "/conta/senha": true}

// again is the form of a request that was refused for what passes by itself, so that
// nothing has to be typed once more; nil for any other.
func (s *server) again(c echo.Context, refusal error) *page.Again {
	if !problem.Passing(refusal) || isHTMX(c) || secretForms[c.Path()] {
		return nil
	}
	values, err := postedValues(c) // nobody may have come to read it
	if err != nil || len(values) == 0 {
		return nil
	}
	noCompression(c) // what was typed may be a secret
	again := &page.Again{Path: c.Request().URL.Path}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		for _, value := range values[name] {
			if name != confirmationField {
				again.Carried = append(again.Carried, page.Carried{Name: name, Value: value})
			}
		}
	}
	return again
}
