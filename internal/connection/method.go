package connection

// Method is one of the three ways to authenticate (specification 5).
type Method string

// The methods.
const (
	APIKey   Method = "chave" // header x-api-key
	Password Method = "senha" // login with user and password, bearer token
	OAuth    Method = "oauth" // client credentials, bearer token
)

// Methods are those that the desk can use.
func Methods() []Method { return []Method{APIKey, Password, OAuth} }

// FieldSecret is the name of the field of a method's secret.
func FieldSecret(m Method) string {
	switch m {
	case Password:
		return "senhaServico"
	case OAuth:
		return "segredoCliente"
	}
	return "chaveApi"
}

// EligibilityMode says whether eligibility is asked for.
type EligibilityMode string

// The modes.
const (
	EligibilityAnnounced EligibilityMode = "recursos" // as the features say, announced or by hand
	EligibilityAlways    EligibilityMode = "sempre"
	EligibilityNever     EligibilityMode = "nunca"
)

// Shapes of an item of anexos (interface.md, row 2).
const (
	AttachmentObject = "object"
	AttachmentString = "string"
)
