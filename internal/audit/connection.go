package audit

// The connection to the authorization service. The detail of a change names the
// settings, never their values; that of a test, how each step went.
const (
	ConnectionChanged Event = "conexao.alterada"
	ConnectionTested  Event = "conexao.testada"

	ObjectConnection = "conexao"
)
