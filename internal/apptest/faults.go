package apptest

import (
	"guiche/internal/client/faultservice"
)

// faultKey is the key that the service of Options.Faults accepts.
const faultKey = "k"

// faults starts the service of Options.Faults and returns its address, where a
// program that is started again looks for it too.
func (s *Server) faults() string {
	s.t.Helper()
	if s.Faults == nil {
		c := *s.options.Faults
		c.Key = faultKey
		s.Faults = faultservice.New(c)
		if err := s.Faults.Start(); err != nil {
			s.t.Fatal(err)
		}
		s.faultURL = s.Faults.URL()
	}
	return s.faultURL
}

// closeFaults ends the service that misbehaves on request, if the test has one.
func (s *Server) closeFaults() {
	if s.Faults != nil {
		_ = s.Faults.Close()
	}
}
