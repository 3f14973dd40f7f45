package e2e_test

import (
	"os"
	"path/filepath"
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"
)

// TestPages_Integrity pictures what administração sees of damage, and what the reception
// sees of a damaged guide and a damaged case.
func TestPages_Integrity(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	p := apptest.Start(t, apptest.Options{Configure: func(c *app.Config) { c.Backups = app.Backups{Folder: folder, Keep: 30} }})
	ana, rui := p.LogIn(t, apptest.Reception), p.LogIn(t, apptest.Administration)
	harmed := ana.Submit(ana.NewDraft())
	ana.Submit(ana.NewDraft())
	apptest.Eventually(t, "a backup is made", func() bool { return rui.Get("/copias").Has("#copias") })
	rui.Post("/copias/fazer", nil)
	apptest.Eventually(t, "it has the files", func() bool { return rui.Get("/copias").Count("#copias tbody tr") > 1 })
	found, err := filepath.Glob(filepath.Join(p.DataDir, "desk", "blobs", "??", "*"))
	for _, path := range found {
		if err == nil {
			err = os.Truncate(path, 10)
		}
	}
	if err != nil || len(found) == 0 {
		t.Fatalf("%d files, %v", len(found), err)
	}
	p.Exec(t, `DROP TRIGGER submission_no_update`)
	p.Exec(t, `UPDATE submission SET card_number = '1' || card_number WHERE id = 2`)
	b := MustBrowse(t, p)
	b.logIn(apptest.Reception)
	b.open(harmed.Path)
	b.look("caso-guia-danificada")
	b.open("/fila")
	b.look("fila-caso-danificado")
	b = MustBrowse(t, p)
	b.logIn(apptest.Administration)
	b.open("/integridade")
	b.see("#danos")
	b.look("integridade")
}

// TestPages_IntegrityService pictures what administração sees of damage at the service: in
// its ledger beside a desk, and on the page of damage of the service alone.
func TestPages_IntegrityService(t *testing.T) {
	t.Parallel()
	beside, alone := apptest.Start(t, apptest.Options{}), apptest.Start(t, apptest.Options{Standalone: true})
	ana := beside.LogIn(t, apptest.Reception)
	ana.Submit(ana.NewDraft())
	ana.Submit(ana.NewDraft())
	alone.Partner(t, alone.APIKey()).Authorize()
	for name, p := range map[string]*apptest.Server{"registro-danificado": beside, "sozinho-integridade": alone} {
		for _, statement := range []string{`DROP TRIGGER decision_fixed`, `UPDATE decision SET answer = 'x' || answer WHERE id = 1`} {
			if _, err := p.ServiceDatabase(t).ExecContext(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
		}
		b := MustBrowse(t, p, "500")
		b.logIn(apptest.Administration)
		b.open("/servico/registro")
		b.look(name + "-lista")
		b.click("main tbody tr:last-child a")
		b.waitFor("the damaged request", "document.querySelector('h1')?.innerText.includes('danificado')")
		b.look(name + "-pedido")
		b.open("/integridade")
		b.see("#danos")
		b.look(name)
		b.open("/servico")
		b.look(name + "-servico")
	}
}
