package audit

import "slices"

// Group is a heading for events that belong together.
type Group struct {
	Label  string
	Events []Event
}

// Groups lists every event, in the order of the page's filter.
func Groups() []Group {
	return []Group{
		{"Entradas e senhas", []Event{LoggedIn, LoginFailed, LoginThrottled, LoginAttack,
			LoggedOut, SessionRevoked, PasswordSet, PasswordReset, PreferencesSet}},
		{"Acesso negado", []Event{AccessDenied, SearchThrottled, ForeignForm}},
		{"Balcão", []Event{CredentialSearched, BeneficiarySearched, RequestSubmitted, RequestWithdrawn, CaseConcluded, CaseReopened,
			CaseNoted, ReviewRequested, ReplyRecorded, RequestResent, CancellationAsked, BiometricsSent, AttachmentsSent,
			EligibilityAsked, DraftDiscarded, CaseViewed, CaseCopied,
			GuideOpened, AttachmentOpened, ReceiptOpened, PhoneCodeIssued, PhoneOpened, PhoneEnded, HistorySearched}},
		{"Pessoas", []Event{PersonAdded, PersonChanged, PersonDisabled, PersonEnabled, PersonActivated, InvitationIssued}},
		{"Cadastros", []Event{DirectoryAdded, DirectoryChanged, DirectoryDisabled, DirectoryEnabled, DirectoryImported,
			DirectoryRefreshed, DirectorySynchronised}},
		{"Conexão com o serviço", []Event{ConnectionChanged, ConnectionTested}},
		{"Chaves da instalação", []Event{KeyRenewed, KeyReplaced}},
		{"Serviço", []Event{PartnerAdded, PartnerChanged, PartnerDisabled, PartnerEnabled, ServiceKeyCreated, ServiceKeyRevoked,
			ServiceClientAdded, ServiceClientRevoked, ServiceUserAdded, ServiceUserPassword, ServiceUserDisabled, ServiceUserEnabled,
			ServiceCredentialAdded, ServiceCredentialChanged, ServiceCredentialDisabled, ServiceCredentialEnabled,
			ServiceUnitAdded, ServiceUnitChanged, ServiceUnitDisabled, ServiceUnitEnabled, ServiceProfessionalAdded, ServiceProfessionalChanged,
			ServiceProfessionalDisabled, ServiceProfessionalEnabled, ServiceSessionEnded, ServiceSessionsEnded, LedgerRead, ServiceActionFailed}},
		{"Auditoria", []Event{TrailRead, TrailChecked, AddressesForgotten, AlarmEnded}},
		{"Cópias de segurança", []Event{BackupMade, BackupFailed, InstallationRestored, DamageFound, DamageMended}},
	}
}

// Known reports whether e is in one of Groups.
func (e Event) Known() bool {
	return slices.ContainsFunc(Groups(), func(g Group) bool { return slices.Contains(g.Events, e) })
}

var labels = map[Event]string{
	LoggedIn:            "Entrou",
	LoginFailed:         "Entrada recusada",
	LoginAttack:         "Muitas tentativas de entrar",
	LoginThrottled:      "Entrada barrada: tentativas demais",
	AccessDenied:        "Acesso negado",
	SearchThrottled:     "Busca barrada: buscas demais",
	ForeignForm:         "Formulário de outro endereço recusado",
	LoggedOut:           "Saiu",
	SessionRevoked:      "Sessão encerrada",
	PasswordSet:         "Senha definida",
	PasswordReset:       "Senha redefinida",
	PreferencesSet:      "Preferências definidas",
	CredentialSearched:  "Operadora buscada",
	BeneficiarySearched: "Beneficiário buscado",
	RequestSubmitted:    "Pedido enviado",
	RequestWithdrawn:    "Pedido retirado da fila",
	CaseConcluded:       "Caso concluído e tirado da fila",
	CaseReopened:        "Caso posto de volta na fila",
	CaseNoted:           "Anotação feita num caso",
	ReviewRequested:     "Reanálise pedida à operadora",
	ReceiptOpened:       "Comprovante do paciente aberto",
	ReplyRecorded:       "Retorno da operadora registrado",
	CancellationAsked:   "Cancelamento pedido à operadora",
	BiometricsSent:      "Biometria enviada à operadora",
	AttachmentsSent:     "Anexos enviados depois à operadora",
	EligibilityAsked:    "Elegibilidade consultada",
	RequestResent:       "Pedido reenviado depois de conferido com a operadora",
	DraftDiscarded:      "Rascunho descartado",
	CaseViewed:          "Caso visto",
	CaseCopied:          "Caso copiado",
	GuideOpened:         "Guia aberta ou baixada",
	AttachmentOpened:    "Anexo aberto ou baixado",
	PhoneCodeIssued:     "Código para celular emitido",
	PhoneOpened:         "Celular aberto para mandar arquivos",
	PhoneEnded:          "Envio pelo celular encerrado",
	HistorySearched:     "Histórico buscado",
	PersonAdded:         "Pessoa criada",
	PersonChanged:       "Pessoa alterada",
	PersonDisabled:      "Pessoa desativada",
	PersonEnabled:       "Pessoa reativada",
	PersonActivated:     "Conta ativada",
	InvitationIssued:    "Convite emitido",
	DirectoryAdded:      "Cadastro criado",
	DirectoryChanged:    "Cadastro alterado",
	DirectoryDisabled:   "Cadastro desativado",
	DirectoryEnabled:    "Cadastro reativado",
	DirectoryImported:   "Cadastros importados",
	DirectoryRefreshed:  "Cadastros atualizados do serviço",

	DirectorySynchronised: "Cadastros sincronizados com o serviço",
	ConnectionChanged:     "Conexão com o serviço alterada",
	ConnectionTested:      "Conexão com o serviço testada",
	KeyRenewed:            "Chave de selagem renovada",
	KeyReplaced:           "Chave perdida substituída",
	TrailRead:             "Auditoria consultada",
	TrailChecked:          "Corrente conferida",
	AlarmEnded:            "Alarme da auditoria encerrado",
	AddressesForgotten:    "Endereços antigos apagados",
	BackupMade:            "Cópia de segurança feita",
	BackupFailed:          "Cópia de segurança não feita",
	InstallationRestored:  "Instalação restaurada de uma cópia",
	DamageFound:           "Dano encontrado no que está guardado",
	DamageMended:          "Dano sanado",

	PartnerAdded:                "Parceiro criado",
	PartnerChanged:              "Parceiro alterado",
	PartnerDisabled:             "Parceiro desativado",
	PartnerEnabled:              "Parceiro reativado",
	ServiceKeyCreated:           "Chave criada",
	ServiceKeyRevoked:           "Chave revogada",
	ServiceClientAdded:          "Cliente OAuth criado",
	ServiceClientRevoked:        "Cliente OAuth revogado",
	ServiceUserAdded:            "Usuário do serviço criado",
	ServiceUserPassword:         "Senha de usuário do serviço trocada",
	ServiceUserDisabled:         "Usuário do serviço desativado",
	ServiceUserEnabled:          "Usuário do serviço reativado",
	ServiceCredentialAdded:      "Credencial do serviço criada",
	ServiceCredentialChanged:    "Credencial do serviço alterada",
	ServiceCredentialDisabled:   "Credencial do serviço desativada",
	ServiceCredentialEnabled:    "Credencial do serviço reativada",
	ServiceUnitAdded:            "Unidade do serviço criada",
	ServiceUnitChanged:          "Unidade do serviço alterada",
	ServiceUnitDisabled:         "Unidade do serviço desativada",
	ServiceUnitEnabled:          "Unidade do serviço reativada",
	ServiceProfessionalAdded:    "Profissional do serviço criado",
	ServiceProfessionalChanged:  "Profissional do serviço alterado",
	ServiceProfessionalDisabled: "Profissional do serviço desativado",
	ServiceProfessionalEnabled:  "Profissional do serviço reativado",
	ServiceSessionEnded:         "Sessão no serviço encerrada",
	ServiceSessionsEnded:        "Sessões de um parceiro encerradas",
	LedgerRead:                  "Registro do serviço consultado",
	ServiceActionFailed:         "Ato no serviço não concluído",
}

// Label returns the event as it is shown: the word of the trail itself when a newer
// version wrote it.
func (e Event) Label() string {
	if label, ok := labels[e]; ok {
		return label
	}
	return string(e)
}

var objectLabels = map[string]string{
	ObjectPerson:       "Pessoa",
	ObjectSession:      "Sessão",
	ObjectInvitation:   "Convite",
	ObjectDraft:        "Rascunho",
	ObjectPhone:        "Celular",
	ObjectCase:         "Caso",
	ObjectFilter:       "Filtro",
	ObjectUnit:         "Unidade",
	ObjectProfessional: "Executante",
	ObjectProcedure:    "Procedimento",
	ObjectCredential:   "Credencial",
	ObjectConnection:   "Conexão com o serviço",

	ObjectPartner:             "Parceiro",
	ObjectServiceKey:          "Chave",
	ObjectServiceClient:       "Cliente OAuth",
	ObjectServiceUser:         "Usuário do serviço",
	ObjectServiceCredential:   "Credencial do serviço",
	ObjectServiceRequest:      "Pedido no serviço",
	ObjectServiceUnit:         "Unidade do serviço",
	ObjectServiceProfessional: "Profissional do serviço",
	ObjectServiceSession:      "Sessão no serviço",
}

// ObjectLabel returns a kind of object as it is shown.
func ObjectLabel(object string) string {
	if label, ok := objectLabels[object]; ok {
		return label
	}
	return object
}
