package e2e_test

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
	b.see("[role=status].notice")
	b.look("auditoria-conferida")
}
