package component

import "guiche/internal/authorization"

// Situation is how a state is shown: the operator's status (specification 3) or
// one of the desk's own states.
type Situation struct {
	Tone   Tone   // its colours
	Icon   string // name in the sprite
	Label  string // text of the badge
	Advice string // one sentence: what to do now
	Local  bool   // known to Guichê alone, not said by the operator: dashed border
	Spin   bool   // the icon turns while something is under way
}

// StatusSituation shows a status of the operator; unknown codes too.
func StatusSituation(status authorization.Status) Situation {
	if known, ok := statusSituations[status]; ok {
		return known
	}
	return situationOf(status)
}

// statusSituations are those of all codes that are known: put together once, and not for each row of a list.
var statusSituations = func() map[authorization.Status]Situation {
	all := map[authorization.Status]Situation{}
	for _, status := range authorization.Statuses() {
		all[status.Code] = situationOf(status.Code)
	}
	return all
}()

func situationOf(status authorization.Status) Situation {
	info := status.Info()
	group := info.Group.Info()
	return Situation{Tone: GroupTone(info.Group), Icon: group.Icon, Label: info.Label, Advice: info.Advice, Local: !status.Known()}
}

// The situations that only Guichê knows.
var (
	DamagedCase = Situation{Tone: ToneError, Icon: "x-octagon", Label: "Danificado",
		Advice: "O que foi guardado não está como foi escrito. Fale com a administração.", Local: true}
	Draft  = Situation{Tone: ToneNeutral, Icon: "pencil-square", Label: "Rascunho", Advice: "Ainda não foi enviado.", Local: true}
	Queued = Situation{Tone: ToneWaiting, Icon: "clock", Label: "Na fila de envio",
		Advice: "O pedido está guardado e sai assim que o serviço aceitar. Não é preciso enviar de novo.", Local: true}
	Held = Situation{Tone: ToneWaiting, Icon: "clock", Label: "Envio suspenso",
		Advice: "O serviço não aceitou nosso acesso. A administração foi avisada; o pedido está guardado e sai quando o acesso voltar.",
		Local:  true}
	Sending = Situation{Tone: ToneWaiting, Icon: "arrow-repeat", Label: "Enviando…",
		Advice: "A resposta aparece aqui sozinha.", Spin: true}
	Checking = Situation{Tone: ToneWaiting, Icon: "clock", Label: "Conferindo com o serviço",
		Advice: "O pedido saiu daqui e a resposta não chegou. O Guichê pergunta de novo sozinho; não reenvie, ele pode ter sido " +
			"autorizado.",
		Local: true}
	Unknown = Situation{Tone: ToneAttention, Icon: "question-diamond", Label: "Enviado sem resposta",
		Advice: "O pedido saiu daqui, mas a resposta da operadora não chegou. Ela pode ter autorizado: confira antes de reenviar."}
	Absent = Situation{Tone: ToneAttention, Icon: "question-diamond", Label: "Não chegou ao serviço",
		Advice: "O serviço informa que não recebeu este pedido. Confirme com a operadora antes de reenviar."}
	Restored = Situation{Tone: ToneAttention, Icon: "question-diamond", Label: "Pode ter sido enviado",
		Advice: "Os dados voltaram de uma cópia de segurança, e o pedido pode ter saído depois dela. Confira com a operadora antes de " +
			"reenviar."}
	Unreadable = Situation{Tone: ToneAttention, Icon: "question-diamond", Label: "Resposta não entendida",
		Advice: "O serviço respondeu fora do combinado: não se sabe se o pedido foi autorizado. Confira com a operadora antes de reenviar."}
	NumberTaken = Situation{Tone: ToneAttention, Icon: "question-diamond", Label: "Número já usado",
		Advice: "O serviço já tem outro pedido com este número: não se sabe se este foi autorizado. Confira com a operadora, pelo nome " +
			"e pela carteira, antes de reenviar."}
	Contradictory = Situation{Tone: ToneAttention, Icon: "question-diamond", Label: "Resposta contraditória",
		Advice: "A operadora informou que autorizou e, na mesma resposta, que houve falha. Confira com a operadora antes de atender."}
	InReview = Situation{Tone: ToneWaiting, Icon: "clock", Label: "Em reanálise",
		Advice: "A operadora negou, e foi pedido que reveja. Ao saber da resposta, registre o retorno.", Local: true}
	Refused = Situation{Tone: ToneCorrection, Icon: "pencil", Label: "Não aceito",
		Advice: "O serviço não aceitou o pedido e nada foi autorizado. Corrija e reenvie."}
	Expired = Situation{Tone: ToneCorrection, Icon: "pencil", Label: "Não saiu a tempo",
		Advice: "O serviço não pôde ser alcançado a tempo e nada saiu daqui. Reenvie quando quiser."}
	Damaged = Situation{Tone: ToneCorrection, Icon: "pencil", Label: "Anexo danificado",
		Advice: "Um anexo está danificado no Guichê, e nada foi autorizado. Anexe o arquivo de novo e reenvie.", Local: true}
	Withdrawn = Situation{Tone: ToneNeutral, Icon: "archive", Label: "Retirado da fila", Advice: "Nada foi enviado.", Local: true}
	Resent    = Situation{Tone: ToneNeutral, Icon: "archive", Label: "Reenviado",
		Advice: "Um novo pedido, ligado a este, tomou o lugar dele.", Local: true}
)

// LocalSituations lists the desk's own situations, in the order of a request's life.
func LocalSituations() []Situation {
	return []Situation{Draft, Queued, Held, Sending, Checking, Unknown, Absent, Restored, Unreadable, NumberTaken, Contradictory,
		InReview, Refused, Expired, Damaged, Withdrawn, Resent}
}
