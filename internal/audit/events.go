package audit

// People and their sessions.
const (
	LoggedIn         Event = "entrada.feita"
	LoginFailed      Event = "entrada.recusada"
	LoginThrottled   Event = "entrada.barrada" // the password was not looked at
	LoginAttack      Event = "entrada.ataque"
	LoggedOut        Event = "saida.feita"
	SessionRevoked   Event = "sessao.encerrada"
	PersonAdded      Event = "pessoa.criada"
	PersonChanged    Event = "pessoa.alterada"
	PersonDisabled   Event = "pessoa.desativada"
	PersonEnabled    Event = "pessoa.reativada"
	PersonActivated  Event = "pessoa.ativada"
	InvitationIssued Event = "convite.emitido"
	PasswordSet      Event = "senha.definida"
	PasswordReset    Event = "senha.redefinida"
	PreferencesSet   Event = "preferencias.definidas"
)

// What a person may not do.
const (
	AccessDenied    Event = "acesso.negado"     // by role, by unit, or because it is somebody else's
	SearchThrottled Event = "busca.barrada"     // too many at a time
	ForeignForm     Event = "formulario.alheio" // posted by a page of another site
)

// The desk's work.
const (
	DraftDiscarded   Event = "rascunho.descartado"
	RequestSubmitted Event = "pedido.enviado"
	RequestWithdrawn Event = "pedido.retirado"
	CaseConcluded    Event = "caso.concluido"
	CaseReopened     Event = "caso.reaberto"
	CaseNoted        Event = "caso.anotado"
	ReviewRequested  Event = "reanalise.pedida"   // of the operator, after a denial
	ReceiptOpened    Event = "comprovante.aberto" // for the patient
	ReplyRecorded    Event = "retorno.registrado" // what the operator told a person about an unknown outcome
	RequestResent    Event = "pedido.reenviado"   // as a new case: the operator said that it never arrived

	CancellationAsked Event = "cancelamento.pedido"      // of an authorization, through the service
	BiometricsSent    Event = "biometria.enviada"        // for an authorization; the captures are kept nowhere
	AttachmentsSent   Event = "anexos.enviados"          // for an authorization that lacked them
	EligibilityAsked  Event = "elegibilidade.consultada" // of a card, which is not kept
	CaseViewed        Event = "caso.visto"
	CaseCopied        Event = "caso.copiado"
	GuideOpened       Event = "guia.aberta"
	AttachmentOpened  Event = "anexo.aberto"
	PhoneCodeIssued   Event = "celular.codigo_emitido" // with it one phone may send files to a draft
	PhoneOpened       Event = "celular.aberto"         // a phone used the code; the actor is who asked for it
	PhoneEnded        Event = "celular.encerrado"

	CredentialSearched Event = "credencial.buscada" // an operator's credential; what was typed is not kept

	BeneficiarySearched Event = "beneficiario.buscado" // some were shown; what was typed is not kept

	HistorySearched Event = "historico.buscado" // by which stored filter; what was typed is in the filter
)

// The directory, which an administrator maintains.
const (
	DirectoryAdded     Event = "cadastro.criado"
	DirectoryChanged   Event = "cadastro.alterado"
	DirectoryDisabled  Event = "cadastro.desativado"
	DirectoryEnabled   Event = "cadastro.reativado"
	DirectoryImported  Event = "cadastro.importado"  // many at once; the detail counts them
	DirectoryRefreshed Event = "cadastro.atualizado" // read from the service again; the detail counts them

	// Units and professionals were taken from the service; the detail counts them.
	DirectorySynchronised Event = "cadastro.sincronizado"
)

// The connection to the authorization service. The detail of a change names the
// settings, never their values; that of a test, how each step went.
const (
	ConnectionChanged Event = "conexao.alterada"
	ConnectionTested  Event = "conexao.testada"
)

// The keys of the installation, outside the database. The detail names them by their ids.
const (
	KeyRenewed  Event = "chave.renovada"    // that of sealed secrets
	KeyReplaced Event = "chave.substituida" // one that was lost for good
)

// The administration of the embedded service. These are intents: they commit
// before the service's own database changes, and ServiceActionFailed follows when
// that change fails.
const (
	PartnerAdded    Event = "parceiro.criado"
	PartnerChanged  Event = "parceiro.alterado"
	PartnerDisabled Event = "parceiro.desativado"
	PartnerEnabled  Event = "parceiro.reativado"

	ServiceKeyCreated    Event = "servico.chave_criada" // of a partner
	ServiceKeyRevoked    Event = "servico.chave_revogada"
	ServiceClientAdded   Event = "servico.cliente_criado" // of a partner
	ServiceClientRevoked Event = "servico.cliente_revogado"
	ServiceUserAdded     Event = "servico.usuario_criado" // of a partner
	ServiceUserPassword  Event = "servico.usuario_senha"
	ServiceUserDisabled  Event = "servico.usuario_desativado"
	ServiceUserEnabled   Event = "servico.usuario_reativado"

	ServiceCredentialAdded    Event = "servico.credencial_criada"
	ServiceCredentialChanged  Event = "servico.credencial_alterada"
	ServiceCredentialDisabled Event = "servico.credencial_desativada"
	ServiceCredentialEnabled  Event = "servico.credencial_reativada"

	ServiceUnitAdded    Event = "servico.unidade_criada"
	ServiceUnitChanged  Event = "servico.unidade_alterada"
	ServiceUnitDisabled Event = "servico.unidade_desativada"
	ServiceUnitEnabled  Event = "servico.unidade_reativada"

	ServiceProfessionalAdded    Event = "servico.profissional_criado"
	ServiceProfessionalChanged  Event = "servico.profissional_alterado"
	ServiceProfessionalDisabled Event = "servico.profissional_desativado"
	ServiceProfessionalEnabled  Event = "servico.profissional_reativado"

	ServiceSessionEnded  Event = "servico.sessao_encerrada"
	ServiceSessionsEnded Event = "servico.sessoes_encerradas" // all of a partner

	LedgerRead          Event = "servico.registro_consultado"
	ServiceActionFailed Event = "servico.nao_concluido" // the detail is the event of the intent
)

// The trail itself: who read it, who had its chain checked, and what went from it.
const (
	TrailRead          Event = "auditoria.consultada"
	TrailChecked       Event = "auditoria.conferida"          // the detail is the outcome
	AddressesForgotten Event = "auditoria.enderecos_apagados" // see AddressesForgottenBefore
	AlarmEnded         Event = "auditoria.alarme_encerrado"   // see Examination.Acknowledgement
)

// Backups of the whole installation, and what became of one.
const (
	BackupMade           Event = "copia.feita"           // the detail says how much
	BackupFailed         Event = "copia.nao_feita"       // likewise why
	InstallationRestored Event = "instalacao.restaurada" // the detail names the copy
)

// Damage in what is stored. The detail names what is damaged.
const (
	DamageFound  Event = "dano.encontrado"
	DamageMended Event = "dano.sanado"
)

// Kinds of things that an entry may be about.
const (
	ObjectPerson     = "pessoa"
	ObjectSession    = "sessao"
	ObjectInvitation = "convite"
	ObjectDraft      = "rascunho"
	ObjectPhone      = "celular"
	ObjectCase       = "caso"
	ObjectFilter     = "filtro"
	ObjectConnection = "conexao"

	ObjectUnit         = "unidade"
	ObjectProfessional = "executante"
	ObjectProcedure    = "procedimento"
	ObjectCredential   = "credencial"

	ObjectPartner             = "parceiro"
	ObjectServiceKey          = "chave"
	ObjectServiceClient       = "cliente"
	ObjectServiceUser         = "usuario_servico"
	ObjectServiceCredential   = "credencial_servico"
	ObjectServiceRequest      = "pedido_servico"
	ObjectServiceUnit         = "unidade_servico"
	ObjectServiceProfessional = "profissional_servico"
	ObjectServiceSession      = "sessao_servico"
)
