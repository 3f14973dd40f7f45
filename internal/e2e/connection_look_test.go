package e2e_test

// lookAtConnection pictures the connection in all its states; administração is
// logged in.
func (b *browser) lookAtConnection() {
	b.t.Helper()
	b.open("/servico/conexao")
	b.look("conexao")
	for _, closed := range []string{"#recursos-idempotencia", "#caminhoUnidades"} {
		b.click("details:has(" + closed + ")>summary")
	}
	b.see("#caminhoUnidades")
	b.look("conexao-recursos")
	b.click("[formaction$='/testar']")
	b.see("#teste li")
	b.look("conexao-teste")
	b.click("#servico-outro")
	b.fill("#endereco", "http://127.0.0.1:1")
	b.click("[formaction$='/testar']")
	b.see("#teste ul")
	b.look("conexao-teste-campos")
	b.click("#conexao .btn-primary")
	b.see("#erros")
	b.look("conexao-erros")
	b.click("#enderecoInterno")
	b.fill("#chaveApi", "chave-de-teste")
	b.click("[formaction$='/testar']")
	b.see("#teste .tone-error")
	b.look("conexao-teste-falhou")
	for _, method := range []string{"senha", "oauth"} {
		b.click("#metodo-" + method)
		b.click(".when-" + method + " summary")
		b.look("conexao-" + method)
	}
}
