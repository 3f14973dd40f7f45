package app

import (
	"errors"
	"strings"

	"guiche/internal/problem"
)

// wordsOf turns an application error into what a person reads at a terminal.
func wordsOf(err error) error {
	var p *problem.Error
	if !errors.As(err, &p) {
		return err
	}
	words := []string{p.Message}
	for _, f := range p.Fields {
		words = append(words, f.Message)
	}
	return errors.New(strings.Join(words, " "))
}
