package service

import (
	"guiche/internal/authorization"
	"guiche/internal/guide"
)

// Sheet fills a guide as drawGuides does.
func (s *Service) Sheet(r LedgerRequest, c Credential, p Professional, a authorization.Authorization) guide.Sheet {
	return s.sheet(r, c, p, a)
}
