package authorization

import (
	"cmp"
	"slices"
	"strings"
)

// Status is an operator's status code (specification 3): one of the 18 known ones,
// or any other that a service sent. Use ParseStatus; never use a code as a CSS
// class, an id or in an address: two of them are "Ç" and "-".
type Status string

// The 18 codes of specification 3.
const (
	Authorized           Status = "A"
	PartiallyAuthorized  Status = "Z"
	UnderAnalysis        Status = "R"
	Denied               Status = "N"
	PendingDispatch      Status = "K"
	Cancelled            Status = "C"
	PartiallyExecuted    Status = "P"
	Executed             Status = "E"
	AwaitingAttachment   Status = "S"
	NotProcessed         Status = "M"
	Inconsistency        Status = "I"
	InconsistencyCedilla Status = "Ç"
	AwaitingBiometrics   Status = "H"
	InvalidBiometrics    Status = "T"
	AwaitingCancellation Status = "X"
	InvalidBeneficiary   Status = "V"
	AwaitingExecution    Status = "W"
	NotApplicable        Status = "-"
)

// cedillas are the other ways in which Ç arrives: decomposed, lower case, and
// Latin-1 read as UTF-8.
var cedillas = strings.NewReplacer("C\u0327", "Ç", "c\u0327", "Ç", "ç", "Ç", "\u00c3\u2021", "Ç")

// ParseStatus reads a code as services write it: spaces around it, lower case and
// any Unicode form of Ç are tolerated. Unknown codes stay as they are.
func ParseStatus(s string) Status {
	trimmed := strings.TrimSpace(s)
	code := Status(strings.ToUpper(cedillas.Replace(trimmed)))
	if code.Known() {
		return code
	}
	return Status(trimmed)
}

// Group is what the receptionist does next about a status. The numbers are stored.
type Group int

// The groups. Unrecognized is that of unknown codes.
const (
	YourTurn Group = iota + 1
	ToFix
	Refusal
	Unrecognized
	Ready
	Waiting
	Closed
)

// GroupInfo is how a group is shown.
type GroupInfo struct {
	Slug   string // its value in filters and addresses: "vez"
	Label  string
	Icon   string // name in the icon sprite
	Advice string // one sentence: what to do
}

// urgency is the order in which a mixed answer needs action. What is not settled comes
// before what is: nobody is sent to be attended for half of a request.
var urgency = []Group{YourTurn, ToFix, Refusal, Unrecognized, Waiting, Ready, Closed}

var groups = map[Group]GroupInfo{
	YourTurn:     {"vez", "Sua vez", "exclamation-triangle", "Reenviar com anexo, coletar, ou conferir itens e avisar."},
	ToFix:        {"cor", "Corrigir e reenviar", "pencil", "Conferir a carteira e reenviar, num pedido ligado ao anterior."},
	Refusal:      {"neg", "Negado", "x-octagon", "Ler o motivo ao paciente. Outro pedido, reanálise ou particular."},
	Unrecognized: {"nao", "Situação nova", "question-lg", "Código que o Guichê não conhece: confira com a operadora."},
	Waiting:      {"esp", "Aguardar", "clock", "Nada agora. Ao saber de algo, registrar o retorno."},
	Ready:        {"ok", "Pode atender", "check-lg", "Encaminhar, imprimir a guia, vigiar a validade da senha."},
	Closed:       {"fim", "Encerrado", "archive", "Nada."},
}

// Info returns how the group is shown.
func (g Group) Info() GroupInfo { return groups[g] }

// Groups lists the groups that a filter offers, in the order of the queue.
func Groups() []Group { return []Group{YourTurn, ToFix, Refusal, Ready, Waiting, Closed} }

// StatusInfo is one row of the status table.
type StatusInfo struct {
	Code   Status
	Group  Group
	Label  string // what the badge says
	Advice string // what the receptionist does now
	Final  bool   // no transition follows (row 19)
}

var statuses = []StatusInfo{
	{AwaitingAttachment, YourTurn, "Falta anexo", "A operadora pede um documento. Reenvie com o anexo, num pedido ligado a este.", false},
	{AwaitingBiometrics, YourTurn, "Falta biometria", "Colete a biometria do beneficiário e reenvie, num pedido ligado a este.", false},
	{InvalidBiometrics, YourTurn, "Biometria inválida", "Colete a biometria de novo e reenvie, num pedido ligado a este.", false},
	{PartiallyAuthorized, YourTurn, "Autorizado em parte", "Confira os itens autorizados e avise o paciente antes de atender.", false},
	{InvalidBeneficiary, ToFix, "Beneficiário inválido", "Confira a carteira e a operadora e reenvie.", true},
	{Inconsistency, ToFix, "Inconsistência na operadora", "Confira os dados e reenvie; se repetir, ligue para a operadora.", true},
	{InconsistencyCedilla, ToFix, "Inconsistência na operadora", "Confira os dados e reenvie; se repetir, ligue para a operadora.", true},
	{NotProcessed, ToFix, "Não processado", "A operadora não processou o pedido. Confira e reenvie.", true},
	{Denied, Refusal, "Negado", "Leia o motivo ao paciente: outro pedido, reanálise ou particular.", true},
	{Authorized, Ready, "Autorizado", "Encaminhe para o atendimento. Imprima a guia e colha a assinatura.", false},
	{AwaitingExecution, Ready, "Aguardando execução", "Autorizado e à espera da execução. Vigie a validade da senha.", false},
	{PartiallyExecuted, Ready, "Executado em parte", "Há itens a executar. Vigie a validade da senha.", false},
	{UnderAnalysis, Waiting, "Em análise", "A operadora está analisando. Ao saber de algo, registre o retorno.", false},
	{PendingDispatch, Waiting, "Pendente de envio", "O serviço ainda vai enviar à operadora. Nada a fazer agora.", false},
	{AwaitingCancellation, Waiting, "Aguardando cancelamento", "O cancelamento foi pedido. Nada a fazer agora.", false},
	{Executed, Closed, "Executado", "Nada a fazer.", true},
	{Cancelled, Closed, "Cancelado", "Nada a fazer.", true},
	{NotApplicable, Closed, "Não se aplica", "Nada a fazer.", true},
}

var statusByCode = func() map[Status]StatusInfo {
	m := make(map[Status]StatusInfo, len(statuses))
	for _, s := range statuses {
		m[s.Code] = s
	}
	return m
}()

// Statuses lists the 18 known codes, most urgent group first.
func Statuses() []StatusInfo { return append([]StatusInfo(nil), statuses...) }

// Known reports whether s is one of the 18 codes.
func (s Status) Known() bool { _, ok := statusByCode[s]; return ok }

// maxShownCode is how many characters of an unknown code are shown.
const maxShownCode = 12

// Info returns the row of s; for an unknown code one that says so.
func (s Status) Info() StatusInfo {
	if info, ok := statusByCode[s]; ok {
		return info
	}
	label := "Situação não informada"
	if code := []rune(string(s)); len(code) > 0 {
		label = "Situação " + string(code[:min(maxShownCode, len(code))])
	}
	return StatusInfo{s, Unrecognized, label, groups[Unrecognized].Advice, false}
}

// Group returns the group of s.
func (s Status) Group() Group { return s.Info().Group }

// comparePlaces orders statuses as their table does, unknown codes behind it.
func comparePlaces(a, b Status) int {
	return cmp.Or(cmp.Compare(a.place(), b.place()), cmp.Compare(a, b))
}

// place is the row of s in the table, beyond its end for an unknown code.
func (s Status) place() int {
	if i := slices.IndexFunc(statuses, func(row StatusInfo) bool { return row.Code == s }); i >= 0 {
		return i
	}
	return len(statuses)
}

// Settled reports whether the operator has decided about the items of an authorization
// of status s: before that their authorized quantities say nothing.
func (s Status) Settled() bool {
	switch s {
	case Authorized, PartiallyAuthorized, Denied, AwaitingExecution, PartiallyExecuted, Executed, AwaitingCancellation, Cancelled:
		return true
	}
	return false
}
