package audit

// The directory that an administrator keeps.
const (
	DirectoryAdded    Event = "cadastro.criado"
	DirectoryChanged  Event = "cadastro.alterado"
	DirectoryDisabled Event = "cadastro.desativado"
	DirectoryEnabled  Event = "cadastro.reativado"
	DirectoryImported Event = "cadastro.importado"  // many at once; the detail counts them
	DirectoryAsked    Event = "cadastro.atualizado" // the service was asked for its list; the detail counts it

	DirectorySynchronised Event = "cadastro.sincronizado" // units and professionals were taken from the service; the detail counts them
)

// Kinds of directory entries.
const (
	ObjectUnit         = "unidade"
	ObjectProfessional = "executante"
	ObjectProcedure    = "procedimento"
	ObjectCredential   = "credencial"
)
