package service

import "github.com/google/uuid"

// Access is by what a partner comes in: the ledger notes it with every request
// and act, so that what a stolen secret did can be told from the rest.
type Access struct {
	Method Method
	ID     uuid.UUID // of the key, the user or the OAuth client
}

// caller is who sent a request.
type caller struct {
	profile Profile // with the scopes that count
	access  Access
}
