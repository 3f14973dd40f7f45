package e2e_test

import (
	"net/url"
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"
)

// lookAtAudit pictures the audit trail in all its states; administração is logged
// in.
func (b *browser) lookAtAudit() {
	b.t.Helper()
	b.open("/auditoria")
	b.look("auditoria")
	b.fill("#ate", "01012020")
	b.click("#filtro .btn-primary")
	b.see(".empty-state")
	b.look("auditoria-nada")
	b.fill("#de", "31022026")
	b.click("#filtro .btn-primary")
	b.see("#erros")
	b.look("auditoria-erros")
	b.click("#corrente button")
	b.see("main [role=status].notice")
	b.look("auditoria-conferida")
	b.open("/copias")
	b.look("copias-nenhuma")
}

// TestPages_Backups pictures what administração sees of backups that are made.
func TestPages_Backups(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	p := apptest.Start(t, apptest.Options{Configure: func(c *app.Config) { c.Backups = app.Backups{Folder: folder, Keep: 30} }})
	rui := p.LogIn(t, apptest.Administration)
	apptest.Eventually(t, "the first backup is made", func() bool { return rui.Get("/copias").Has("#copias") })
	b := MustBrowse(t, p)
	b.logIn(apptest.Administration)
	b.open("/copias")
	b.look("copias")
	const more = `INSERT INTO backup_run (at, name, bytes, encrypted, missing, failure, verified_at, damage) `
	for _, state := range []struct{ name, sql string }{
		{"antiga", `UPDATE backup_run SET at = at - 259200000000, verified_at = verified_at - 259200000000`},
		{"nao-conferida", more + `SELECT at + 259000000000, name, 3141592653, 1, 0, '', 0, 0 FROM backup_run`},
		{"falta-arquivo", more + `SELECT at + 1000000, name, bytes, 1, 2, '', at + 9000000, 0 FROM backup_run ORDER BY id DESC LIMIT 1`},
		{"danificada", more + `SELECT at + 2000000, name, bytes, 1, 0, '', at + 9000000, 3 FROM backup_run ORDER BY id DESC LIMIT 1`},
		{"sem-espaco", more + `SELECT at + 3000000, '', 0, 0, 0, 'sem_espaco', 0, 0 FROM backup_run ORDER BY id DESC LIMIT 1`},
		{"banco-danificado", more + `SELECT at + 4000000, '', 0, 0, 0, 'danificada', 0, 0 FROM backup_run ORDER BY id DESC LIMIT 1`},
		{"so-falhas", `DELETE FROM backup_run WHERE failure = ''`},
		{"primeira", `DELETE FROM backup_run`},
	} {
		p.Exec(t, `PRAGMA busy_timeout = 10000; `+state.sql)
		b.open("/copias")
		b.look("copias-" + state.name)
	}
	b.click("form[action='/copias/fazer'] button")
	b.see("main [role=status].notice")
	b.look("copias-pedida")
}

// TestPages_AuditBroken pictures what administração sees when the trail was
// tampered with.
func TestPages_AuditBroken(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	p.Stop()
	p.Exec(t, `DROP TRIGGER audit_entry_no_update; UPDATE audit_entry SET at = at + 1 WHERE id = 3`)
	p.Restart(nil)
	apptest.Eventually(t, "the trouble is in the log", func() bool { return p.Log.Contains("the audit trail is broken") })
	b := MustBrowse(t, p, "422")
	b.logIn(apptest.Administration)
	b.open("/auditoria")
	b.look("auditoria-rompida")
	b.click("#alarme button")
	b.see("#erros")
	b.look("auditoria-alarme-erros")
	b.choose("#motivo", "falha_de_disco")
	b.click("#alarme button")
	b.see("[role=status].notice")
	b.look("auditoria-alarme-encerrado")
}

// TestPages_AuditDenied pictures refused acts, counted ones too, with the longest
// address that there is.
func TestPages_AuditDenied(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{Configure: func(c *app.Config) { c.TrustedProxies = apptest.Loopback }})
	stranger := p.Client(t)
	stranger.Header.Set("X-Forwarded-For", "2001:db8:85a3:1234:5678:8a2e:1370:7334")
	for range 12 {
		stranger.Post("/entrar", url.Values{"usuario": {"ana"}, "senha": {"errada"}})
	}
	stranger.Get("/ativar/nenhum")
	ana := p.LogIn(t, apptest.Reception)
	for range 5 {
		ana.Get("/servico/parceiros/01a1fd53-a165-77ef-a4fa-dae39f9cda2f")
	}
	p.LogIn(t, apptest.Supervision).Get(ana.Post("/historico", url.Values{"texto": {"helena"}}).Path)
	p.Restart(nil) // what was counted is written
	b := MustBrowse(t, p)
	b.logIn(apptest.Administration)
	b.open("/auditoria?evento=recusas")
	b.look("auditoria-recusas")
}
