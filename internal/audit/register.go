package audit

// The registers that an administrator keeps.
const (
	RegisterAdded    Event = "cadastro.criado"
	RegisterChanged  Event = "cadastro.alterado"
	RegisterDisabled Event = "cadastro.desativado"
	RegisterEnabled  Event = "cadastro.reativado"
	RegisterImported Event = "cadastro.importado"  // many at once; the detail counts them
	RegisterAsked    Event = "cadastro.atualizado" // the service was asked for its list; the detail counts it

	RegisterSynchronised Event = "cadastro.sincronizado" // units and professionals were taken from the service; the detail counts them
)

// Kinds of register entries.
const (
	ObjectUnit         = "unidade"
	ObjectProfessional = "executante"
	ObjectProcedure    = "procedimento"
	ObjectCredential   = "credencial"
)
