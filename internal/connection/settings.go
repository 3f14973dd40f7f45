// Package connection is which authorization service the desk speaks to, and how:
// the settings that an administrator keeps, the secrets sealed under a key outside
// the database, the addresses that may be dialled, and the test of all of it that
// sends no authorization.
//
// A setting is a field of Settings and a row of the table in this file, which flags,
// variables, the page, the check, the audit trail and the store read. Beside them it
// takes a migration with its column and the place that obeys it.
package connection

import (
	"time"

	"guiche/internal/authorization"
)

// Settings say which service the desk speaks to, and how. Which of them count
// depends on Embedded and Method; the others are kept as they were typed.
type Settings struct {
	Embedded     bool
	BaseURL      string // http(s)://host[:port][/path]
	InternalHost string // the host of BaseURL where it may lie in a local network, else ""

	Method        Method
	User          string // of Password
	LoginPath     string // of Password, with the two field names (interface.md, row 23)
	UserField     string
	PasswordField string
	RefreshPath   string // of Password; "" for a service that renews no token
	ClientID      string // of OAuth
	TokenPath     string // of OAuth
	Scope         string // of OAuth, words separated by spaces; "" asks for all that the client has
	ClientBasic   bool   // of OAuth: the client in HTTP Basic instead of the form

	UnitsPath         string // lists of interface.md, row 13; "" for a service that has none
	ProfessionalsPath string
	Eligibility       EligibilityMode // interface.md, row 15
	EligibilityPath   string

	Attachments string        // AttachmentObject or AttachmentString
	UploadFiles int           // attachments of one request (interface.md, row 10)
	UploadFile  int64         // bytes of one of them
	UploadTotal int64         // bytes of all
	Connect     time.Duration // name, connection and TLS
	Query       time.Duration // of a question at which a person waits
	Answer      time.Duration // of the service to a request
	Deadline    time.Duration // what has not left by then is refused

	Slots           int // requests on the wire at the same time, of each process
	CredentialSlots int // of them, those to one credential

	ByHand   bool     // the features are those below, not what the service announces
	Features []string // words of recursos (interface.md, row 17)
}

// Names of settings that the code speaks of, as forms and the audit trail have them.
const (
	FieldEmbedded = "servico"
	FieldBaseURL  = "endereco"
	FieldMethod   = "metodo"
	FieldByHand   = "origemRecursos"
	FieldFeatures = "recursos"
)

// mostTogether is what the attachments of a request may weigh in MB, so that it is no longer in
// base64, with the text beside them, than the embedded service takes.
const mostTogether = (authorization.MaxBody/megabyte - 1) * 3 / 4

// table describes every setting. Its order is that of the check's messages and of the
// audit trail. Defaults: interface.md, rows 2, 10, 13, 15 and 23 and the times below
// its outcome table; specification 4.6 and 4.7.
var table = []Field{
	{
		Name: FieldEmbedded, Column: "embedded", Kind: Switch,
		At:    func(s *Settings) any { return &s.Embedded },
		Label: "Serviço de autorização", Group: GroupService, WithAddress: true,
		Choices: []Choice{{"embutido", "Serviço embutido no Guichê"}, {"outro", "Outro serviço, pelo endereço"}}, On: "embutido",
	},
	{
		Name: FieldBaseURL, Column: "base_url", Kind: Address, Max: 300,
		At:    func(s *Settings) any { return &s.BaseURL },
		Label: "Endereço", Group: GroupAddress, Width: Wide, WithAddress: true, Remote: true, Missing: "Escreva o endereço do serviço.",
		Placeholder: "https://servico.exemplo.com.br", Hint: "Só o começo: os caminhos, como /api/v2/credenciais, vêm depois dele.",
		Flag: "base-url", Help: "address of another authorization service; without it the embedded one is used",
	},
	{
		Name: "enderecoInterno", Column: "internal_host", Kind: AllowedHost, Max: maxHost,
		At:    func(s *Settings) any { return &s.InternalHost },
		Label: "Permitir endereço interno: o serviço fica na rede da clínica", Group: GroupAddress, Width: Wide, WithAddress: true,
	},
	{
		Name: FieldMethod, Column: "method", Kind: OneOf,
		At:    func(s *Settings) any { return (*string)(&s.Method) },
		Label: "Forma de acesso", Group: GroupAccess, WithAddress: true, Default: string(APIKey),
		Choices: []Choice{{string(APIKey), "Chave de API"}, {string(Password), "Usuário e senha"}, {string(OAuth), "Cliente OAuth 2.0"}},
	},
	{
		Name: "usuarioServico", Column: "service_user", Kind: Text, Max: 200,
		At:    func(s *Settings) any { return &s.User },
		Label: "Usuário", Group: GroupUser, WithAddress: true, Remote: true, Method: Password, Missing: "Escreva o usuário do serviço.",
		Flag: "service-user", Help: "user for -base-url, in place of a key",
	},
	{
		Name: "caminhoLogin", Column: "login_path", Kind: Path, Max: 200,
		At:    func(s *Settings) any { return &s.LoginPath },
		Label: "Caminho do login", Group: GroupLogin, Remote: true, Method: Password, Default: "/api/v1/auth/login",
		Hint: "Noutros serviços: /api/v2/auth/login",
		Flag: "login-path", Help: "path of the login of -service-user",
	},
	{
		Name: "campoUsuario", Column: "user_field", Kind: Word, Max: 64,
		At:    func(s *Settings) any { return &s.UserField },
		Label: "Campo do usuário", Group: GroupLogin, Place: 1, Width: Short, Remote: true, Method: Password, Default: "usuario",
		Hint: "Noutros: email", Missing: "Escreva o nome do campo do usuário.",
		Flag: "login-user-field", Help: "field of the user in the login at -login-path",
	},
	{
		Name: "campoSenha", Column: "password_field", Kind: Word, Max: 64,
		At:    func(s *Settings) any { return &s.PasswordField },
		Label: "Campo da senha", Group: GroupLogin, Place: 1, Width: Short, Remote: true, Method: Password, Default: "senha",
		Missing: "Escreva o nome do campo da senha.", Rule: Settings.checkFieldNames,
		Flag: "login-password-field", Help: "field of the password in the login at -login-path",
	},
	{
		Name: "caminhoRenovacao", Column: "refresh_path", Kind: Path, Max: 200,
		At:    func(s *Settings) any { return &s.RefreshPath },
		Label: "Caminho da renovação", Group: GroupLogin, Remote: true, Method: Password, Default: "/api/v1/auth/refresh",
		Optional: true, Hint: "Vazio: cada token novo vem de um login.",
	},
	{
		Name: "clienteId", Column: "client_id", Kind: Word, Max: 200,
		At:    func(s *Settings) any { return &s.ClientID },
		Label: "client_id", Group: GroupClient, WithAddress: true, Remote: true, Method: OAuth, Missing: "Escreva o client_id.",
		Flag: "client-id", Help: "OAuth 2.0 client for -base-url, in place of a key",
	},
	{
		Name: "caminhoToken", Column: "token_path", Kind: Path, Max: 200,
		At:    func(s *Settings) any { return &s.TokenPath },
		Label: "Caminho do token", Group: GroupToken, Remote: true, Method: OAuth, Default: "/oauth/token",
		Flag: "token-path", Help: "path of the tokens of -client-id",
	},
	{
		Name: "escopo", Column: "scope", Kind: Words, Max: 200,
		At:    func(s *Settings) any { return &s.Scope },
		Label: "Escopo", Group: GroupToken, Place: 1, Width: Wide, Remote: true, Method: OAuth,
		Optional: true, Hint: "Palavras separadas por espaço. Vazio pede tudo o que o cliente pode.",
	},
	{
		Name: "envioCliente", Column: "client_basic", Kind: Switch,
		At:    func(s *Settings) any { return &s.ClientBasic },
		Label: "Cliente e segredo vão", Group: GroupToken, Remote: true, Method: OAuth,
		Choices: []Choice{{"formulario", "No formulário"}, {"basic", "No cabeçalho, por HTTP Basic"}}, On: "basic",
	},
	{
		Name: "caminhoUnidades", Column: "units_path", Kind: Path, Max: 200,
		At:    func(s *Settings) any { return &s.UnitsPath },
		Label: "Unidades", Group: GroupPaths, Remote: true, Default: "/api/v2/unidades",
		Optional: true, Hint: "Vazio: o serviço não tem esta lista.",
	},
	{
		Name: "caminhoExecutantes", Column: "executants_path", Kind: Path, Max: 200,
		At:    func(s *Settings) any { return &s.ProfessionalsPath },
		Label: "Profissionais executantes", Group: GroupPaths, Remote: true, Default: "/api/v2/profissionais-executantes",
		Optional: true, Hint: "Vazio: o serviço não tem esta lista.",
	},
	{
		Name: "usoElegibilidade", Column: "eligibility", Kind: OneOf,
		At:    func(s *Settings) any { return (*string)(&s.Eligibility) },
		Label: "Perguntar a elegibilidade", Group: GroupFeatures, Place: 1, Remote: true, Default: string(EligibilityAnnounced),
		Choices: []Choice{
			{string(EligibilityAnnounced), "Se estiver nos recursos"}, {string(EligibilityAlways), "Sempre"}, {string(EligibilityNever), "Nunca"},
		},
	},
	{
		Name: "caminhoElegibilidade", Column: "eligibility_path", Kind: Path, Max: 200,
		At:    func(s *Settings) any { return &s.EligibilityPath },
		Label: "Elegibilidade", Group: GroupPaths, Remote: true, Default: "/api/v1/elegibilidade",
		When: func(s Settings) bool { return s.Eligibility != EligibilityNever },
	},
	{
		Name: "formatoAnexos", Column: "attachments", Kind: OneOf,
		At:    func(s *Settings) any { return &s.Attachments },
		Label: "Formato", Group: GroupAttachments, Width: Wide, Remote: true, Default: AttachmentObject,
		Choices: []Choice{{AttachmentObject, "Objeto com base64, nome e tipo"}, {AttachmentString, "Só o texto base64"}},
		Flag:    "attachment-shape", Help: "how the service takes attachments: object or string",
	},
	{
		Name: "maximoArquivos", Column: "upload_files", Kind: Number, Max: 100, Ours: authorization.MaxAttachments, Unit: "arquivos",
		At:    func(s *Settings) any { return &s.UploadFiles },
		Label: "Arquivos por pedido", Group: GroupAttachments, Default: "10",
		Flag: "upload-files", Help: "attachments of one request",
	},
	{
		Name: "maximoArquivo", Column: "upload_file", Kind: Megabytes, Max: 500, Ours: authorization.MaxAttachment / megabyte,
		At:    func(s *Settings) any { return &s.UploadFile },
		Label: "Cada um, em MB", Group: GroupAttachments, Width: Short, Default: "15",
		Flag: "upload-file-mb", Help: "largest attachment, in MiB",
	},
	{
		Name: "maximoAnexos", Column: "upload_total", Kind: Megabytes, Max: 2000, Ours: mostTogether,
		At:    func(s *Settings) any { return &s.UploadTotal },
		Label: "Todos juntos, em MB", Group: GroupAttachments, Width: Short, Default: "60", Rule: Settings.checkTotal,
		Flag: "upload-total-mb", Help: "all attachments of one request, in MiB",
	},
	{
		Name: "tempoConexao", Column: "connect_s", Kind: Seconds, Max: 60,
		At:    func(s *Settings) any { return &s.Connect },
		Label: "Conectar, em s", Group: GroupTimes, Width: Short, Default: "5", Hint: "Até o serviço atender.",
		Flag: "connect-timeout", Help: "to reach the authorization service",
	},
	{
		Name: "tempoConsulta", Column: "query_s", Kind: Seconds, Max: 60,
		At:    func(s *Settings) any { return &s.Query },
		Label: "Consultar, em s", Group: GroupTimes, Width: Short, Default: "10", Hint: "Até responder a uma busca.",
		Flag: "query-timeout", Help: "to wait for a search at the service",
	},
	{
		Name: "tempoResposta", Column: "answer_s", Kind: Seconds, Max: 600,
		At:    func(s *Settings) any { return &s.Answer },
		Label: "Responder, em s", Group: GroupTimes, Width: Short, Default: "60", Hint: "Até responder a um pedido.",
		Flag: "answer-timeout", Help: "to wait for the service's answer",
	},
	{
		Name: "prazo", Column: "deadline_s", Kind: Minutes, Max: 24 * 60,
		At:    func(s *Settings) any { return &s.Deadline },
		Label: "Prazo de saída, em min", Group: GroupTimes, Width: Short, Default: "30", Hint: "Depois dele o pedido volta para a recepção.",
		Flag: "deadline", Help: "what has not left by then is given back for correction",
	},
	{
		Name: "enviosJuntos", Column: "slots", Kind: Number, Max: 500, Unit: "pedidos",
		At:    func(s *Settings) any { return &s.Slots },
		Label: "Pedidos ao mesmo tempo", Group: GroupSlots, Width: Short, Default: "96", Hint: "Em cada processo; os outros esperam a vez.",
		Flag: "slots", Help: "requests on the wire at the same time, in each process",
	},
	{
		Name: "enviosOperadora", Column: "credential_slots", Kind: Number, Max: 500, Unit: "pedidos",
		At:    func(s *Settings) any { return &s.CredentialSlots },
		Label: "Deles, para uma operadora", Group: GroupSlots, Width: Short, Default: "24", Rule: Settings.checkSlots,
		Hint: "Uma operadora lenta não ocupa o lugar das outras.",
		Flag: "credential-slots", Help: "of -slots, those to one operator credential",
	},
	{
		Name: FieldByHand, Column: "by_hand", Kind: Switch,
		At:    func(s *Settings) any { return &s.ByHand },
		Label: "Usar", Group: GroupFeatures,
		Choices: []Choice{{"anunciados", "O que o serviço anuncia"}, {"manual", "Recursos à mão, abaixo"}}, On: "manual",
	},
	{
		Name: FieldFeatures, Column: "features", Kind: Marks,
		At:    func(s *Settings) any { return &s.Features },
		Group: GroupByHand, Choices: []Choice{
			{"idempotencia", "Repetição segura"}, {"situacao", "Situação depois"}, {"consulta-por-guia", "Consulta por guia"},
			{"anexos", "Anexos depois"}, {"biometria", "Biometria"}, {"cancelamento", "Cancelamento"},
			{"elegibilidade", "Elegibilidade"}, {"cadastros", "Unidades e profissionais"},
		},
	},
}

// checkFieldNames wants two fields of the login, not one.
func (s Settings) checkFieldNames() (code, message string) {
	if s.UserField != "" && s.UserField == s.PasswordField {
		return "dominio", "Os dois campos precisam de nomes diferentes."
	}
	return "", ""
}

// checkSlots wants a credential to take no more slots than there are.
func (s Settings) checkSlots() (code, message string) {
	if s.Slots > 0 && s.CredentialSlots > s.Slots {
		return "limite", "Uma operadora não pode ter mais do que todas juntas."
	}
	return "", ""
}

// checkTotal wants room for one attachment at least.
func (s Settings) checkTotal() (code, message string) {
	if s.UploadTotal >= megabyte && s.UploadFile > s.UploadTotal {
		return "limite", "O total não pode ser menor que um arquivo."
	}
	return "", ""
}
