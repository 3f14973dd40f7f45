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
	b.size(1366, 1080) // the whole page: the guide is not drawn anew for a larger window
	b.logIn("recepcao")
	b.open(send2(p.LogIn(t, apptest.Reception), t, "0310004512063345"))
	b.seesPDF()
	b.picture("case")
}
