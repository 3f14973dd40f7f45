package audit

// The administration of the embedded service. These are intents: they commit
// before the service's own database changes, and ServiceActFailed follows where
// that did not come about.
const (
	PartnerAdded    Event = "parceiro.criado"
	PartnerChanged  Event = "parceiro.alterado"
	PartnerDisabled Event = "parceiro.desativado"
	PartnerEnabled  Event = "parceiro.reativado"

	ServiceKeyMinted     Event = "servico.chave_criada" // of a partner
	ServiceKeyRevoked    Event = "servico.chave_revogada"
	ServiceClientAdded   Event = "servico.cliente_criado" // of a partner
	ServiceClientRevoked Event = "servico.cliente_revogado"
	ServiceUserAdded     Event = "servico.usuario_criado" // of a partner
	ServiceUserPassword  Event = "servico.usuario_senha"  //nolint:gosec // the name of an event
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

	LedgerRead       Event = "servico.registro_consultado"
	ServiceActFailed Event = "servico.nao_concluido" // the detail is the event that did not come about
)

// Kinds of things of the service.
const (
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
