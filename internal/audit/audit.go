// Package audit is the trail of who did what, when: an entry, the words for what
// happened, and the hash chain that shows whether entries were altered, removed
// or moved. It is pure: whoever acts writes the entry in its own transaction.
package audit

import (
	"time"

	"github.com/google/uuid"
)

// Entry says who did what to which thing. It carries identifiers and fixed words
// only, never names, cards, contacts or contents.
type Entry struct {
	At       time.Time // UTC, kept to the microsecond
	Actor    uuid.UUID // the person; the zero value is the program itself
	Event    Event
	Object   string    // kind of the thing: see the Object constants
	ObjectID uuid.UUID // uid of the thing; zero when there is none
	Detail   string    // fixed words or numbers: "papel=recepcao"
}

// Event is what happened, in the words the trail is read in.
type Event string

// People and their sessions.
const (
	LoggedIn        Event = "entrada.feita"
	LoginFailed     Event = "entrada.recusada"
	LoggedOut       Event = "saida.feita"
	SessionRevoked  Event = "sessao.encerrada"
	PersonAdded     Event = "pessoa.criada"
	PersonChanged   Event = "pessoa.alterada"
	PersonDisabled  Event = "pessoa.desativada"
	PersonEnabled   Event = "pessoa.reativada"
	PersonActivated Event = "pessoa.ativada"
	InvitationMade  Event = "convite.emitido"
	PasswordSet     Event = "senha.definida"   //nolint:gosec // the name of an event
	PasswordReset   Event = "senha.redefinida" //nolint:gosec // the name of an event
	PreferencesSet  Event = "preferencias.definidas"
)

// The desk's work.
const (
	DraftDiscarded   Event = "rascunho.descartado"
	RequestSubmitted Event = "pedido.enviado"
	RequestWithdrawn Event = "pedido.retirado"
	CaseViewed       Event = "caso.visto"
	CaseCopied       Event = "caso.copiado"
	GuideOpened      Event = "guia.aberta"
	AttachmentOpened Event = "anexo.aberto"

	CredentialSearched Event = "credencial.buscada" //nolint:gosec // an operator's credential; what was typed is not kept
)

// Kinds of things.
const (
	ObjectPerson     = "pessoa"
	ObjectSession    = "sessao"
	ObjectInvitation = "convite"
	ObjectDraft      = "rascunho"
	ObjectCase       = "caso"
)
