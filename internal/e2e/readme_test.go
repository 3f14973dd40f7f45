package e2e_test

import "testing"

// TestPages_Readme shows what the README begins with: an authorized case with its
// guide drawn beside it. With -screenshots it writes that picture, case.png.
func TestPages_Readme(t *testing.T) {
	t.Parallel()
	p := MustRun(t)
	b := MustBrowse(t, p)
	b.size(1366, 1080) // the whole page: the guide is not drawn anew for a larger window
	b.logIn("recepcao")
	b.open(MustVisit(t, p, "recepcao").send2(t, "0310004512063345"))
	b.seesPDF()
	b.picture("case")
}
