package service

import (
	"guiche/internal/authorization"
	"guiche/internal/jsonscan"
	"guiche/internal/problem"
)

// readTexts reads a small body, a JSON object, and of it the named texts, all of
// which must be given. It is as strict as readBody (row 12).
func (s *Service) readTexts(c *call, names ...string) (map[string]string, error) {
	doc, err := s.scan(c, nil, jsonscan.Options{
		MaxBody: maxRest, MaxRest: maxRest, Depth: maxDepth,
		Extract: func(string) bool { return false },
	})
	if err != nil {
		return nil, err
	}
	var wrong []problem.Field
	texts := map[string]string{}
	if m, ok := object(doc.Rest(), "", &wrong); ok {
		for _, name := range names {
			texts[name] = m.required(name)
		}
	}
	if len(wrong) > 0 {
		return nil, invalid(wrong...)
	}
	return texts, nil
}

// required reads a text that must not be empty.
func (m members) required(name string) (text string) {
	before := len(*m.wrong)
	m.text(name, &text)
	if text == "" && len(*m.wrong) == before {
		m.add(name, authorization.CodeRequired, "Informe "+name+".")
	}
	return text
}
