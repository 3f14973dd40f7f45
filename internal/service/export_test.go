package service

import (
	"guiche/internal/authorization"
	"guiche/internal/guide"

	"github.com/google/uuid"
)

// Sheet fills a guide as drawGuides does.
func (s *Service) Sheet(r LedgerRequest, c Credential, p Professional, a authorization.Authorization) guide.Sheet {
	return s.sheet(r, c, p, a)
}

// HashKey and Fingerprint are how the ledger keeps a key and an action.
var HashKey = hashKey

// Fingerprint is what equal actions have in common.
func (r ActionRequest) Fingerprint() [32]byte { return r.fingerprint() }

// FingerprintOf is how the ledger keeps a request.
var FingerprintOf = fingerprintOf

// Waiting counts the calls that wait for a slot of a credential.
func (s *Service) Waiting(credential uuid.UUID) int {
	s.calls.mu.Lock()
	defer s.calls.mu.Unlock()
	p := s.calls.pool(credential)
	return len(p.present) + len(p.others)
}
