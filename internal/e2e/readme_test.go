package e2e_test

import (
	"testing"

	"guiche/internal/apptest"
)

// TestPages_Readme shows what the README begins with: an authorized case with its
// guide drawn beside it. With -screenshots it writes that picture, case.png.
func TestPages_Readme(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	b := MustBrowse(t, p)
	b.size(1366, 1240) // the whole page: the guide is not drawn anew for a larger window
	b.logIn("recepcao")
	ana := p.LogIn(t, apptest.Reception)
	address, form := ana.NewDraft()
	apptest.SetProcedure(form, "1", "40304361", "Hemograma com contagem de plaquetas ou frações", "2")
	b.open(ana.Submit(address, apptest.With(form, map[string]string{"numeroCarteira": "0310004512063345",
		"nomeBeneficiario": "Helena Duarte", "nomeSolicitante": "Caio Leme", "pacienteNoLocal": "S"})).Path)
	b.seesPDF()
	b.picture("case")
}
