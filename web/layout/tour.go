package layout

// tourStep is one step of the tour: what it says, and of which control.
type tourStep struct {
	title, key, text string
	href             string // where the control is, with the step
	target           string // CSS selector of the control; the first that is found
}

// TourStart is the address of the tour's first step.
const TourStart = "/fila?apresentacao=1"

// TourCase is the step that shows a case; its address leads to one.
const TourCase = 5

// TourSteps is how many steps the tour has.
func TourSteps() int { return len(tourSteps) }

var tourSteps = []tourStep{
	{"A fila", "", "O que espera por alguém, em seis grupos. O número diz quantos pedidos há em cada um; ao escolher um grupo, " +
		"a lista mostra só ele.", TourStart, ".status-counts"},
	{"Novo pedido", "F2", "Abre o formulário de uma autorização, de qualquer página.", "/fila?apresentacao=2", ".tabs [data-shortcut=F2]"},
	{"Quem é?", "F4", "Escreva o nome, a carteira ou a operadora. Quem já foi atendido aqui preenche quase todo o formulário; " +
		"você completa o procedimento e o pedido médico.", "/nova?apresentacao=3", "#Quem"},
	{"Revisar e enviar", "F8", "Mostra o pedido inteiro e avisa do que costuma voltar; depois Enter envia. O que você digita " +
		"já fica salvo como rascunho.", "/nova?apresentacao=4", "[form=pedido][data-shortcut=F8]"},
	{"O caso e a guia", "F9", "A resposta da operadora, o que fazer agora, a senha e a guia em PDF. “Próximo da fila” abre outro " +
		"pedido que depende de alguém.", "/ajuda/exemplo", "#veredito, #fila tbody a"},
	{"Teclas e ajuda", "", "As teclas estão escritas nos próprios botões. Neste menu, “Ajuda e teclas” traz todas elas, " +
		"o manual e esta apresentação.", "/fila?apresentacao=6", ".user-menu>summary"},
}
