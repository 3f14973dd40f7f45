package connection

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"guiche/internal/problem"
)

// Check returns every setting that cannot work, as fields for the person: first what
// the schema would refuse, also where it does not count now, then what is wrong where
// it counts.
func (s Settings) Check() []problem.Field {
	var p fieldProblems
	for _, f := range table {
		p.checkSchema(f, s)
	}
	for _, f := range table {
		if f.counts(s) {
			p.checkMeaning(f, s)
		}
	}
	return p
}

// fieldProblems collects every problem of the form; the page shows each beside its
// field.
type fieldProblems []problem.Field

// add notes a problem with the words that the page shows.
func (p *fieldProblems) add(field, code, message string) {
	*p = append(*p, problem.Field{Path: field, Code: code, Message: message})
}

// checkSchema wants texts of bounded length and choices that exist.
func (p *fieldProblems) checkSchema(f Field, s Settings) {
	switch value := f.At(&s).(type) {
	case *string:
		if f.Kind == OneOf {
			p.checkChoice(f, *value)
		} else if utf8.RuneCountInString(*value) > f.Max {
			p.add(f.Name, "limite", fmt.Sprintf("Use no máximo %d caracteres.", f.Max))
		}
	case *[]string:
		for _, v := range *value {
			p.checkChoice(f, v)
		}
	}
}

// checkChoice accepts only what the field's list offers.
func (p *fieldProblems) checkChoice(f Field, value string) {
	if !slices.Contains(f.values(), value) {
		p.add(f.Name, "dominio", "Escolha uma das opções.")
	}
}

// checkMeaning wants what the kind and the rule of the setting say.
func (p *fieldProblems) checkMeaning(f Field, s Settings) {
	switch f.Kind {
	case Text, Word, Words:
		p.checkLine(f, s)
	case Path:
		p.checkPath(f, s)
	case Address:
		p.checkAddress(f, s)
	case Number, Megabytes, Seconds, Minutes:
		p.checkNumber(f, s)
	}
	if f.Rule == nil {
		return
	}
	if code, message := f.Rule(s); code != "" {
		p.add(f.Name, code, message)
	}
}

// checkLine refuses control characters: these texts end up in HTTP headers and in logs.
func (p *fieldProblems) checkLine(f Field, s Settings) {
	switch value := f.line(s); {
	case value == "" && !f.Optional:
		p.add(f.Name, "obrigatorio", f.Missing)
	case strings.ContainsFunc(value, unicode.IsControl):
		p.add(f.Name, "formato", "Use só letras, números e sinais.")
	}
}

// checkPath accepts a path below the service's address and nothing that would lead
// elsewhere.
func (p *fieldProblems) checkPath(f Field, s Settings) {
	value := f.line(s)
	if value == "" && f.Optional {
		return
	}
	u, err := url.Parse(value)
	if err != nil || !strings.HasPrefix(value, "/") || strings.HasPrefix(value, "//") || strings.ContainsAny(value, "?#\\") ||
		slices.Contains(strings.Split(u.Path, "/"), "..") || strings.ContainsFunc(value, unicode.IsSpace) {
		p.add(f.Name, "formato", "Escreva o caminho depois do endereço, começando por /, como /api/v2/unidades.")
	}
}

// checkAddress refuses addresses where no service can answer, and a local network that
// was not allowed where that can be told without resolving the name.
func (p *fieldProblems) checkAddress(f Field, s Settings) {
	u, err := url.Parse(s.BaseURL)
	switch {
	case utf8.RuneCountInString(s.BaseURL) > f.Max: // checkSchema says so
	case s.BaseURL == "":
		p.add(f.Name, "obrigatorio", f.Missing)
	case err != nil || !goodAddress(u):
		p.add(f.Name, "formato", "Escreva um endereço como https://servico.exemplo.com.br, sem usuário, senha ou “?”.")
	case literalLinkLocal(s.Host()):
		p.add(f.Name, "dominio", linkLocalMessage)
	case s.InternalHost != "":
	case literalInternal(s.Host()):
		p.add(f.Name, "dominio", "Este endereço é da rede interna. Permita o endereço interno, se é o certo.")
	case u.Scheme == "http":
		p.add(f.Name, "dominio",
			"Use https: sem ele, qualquer um no caminho lê os dados. Só um endereço interno permitido pode usar http.")
	}
}

// nouns are what a number of a kind counts, as people read it.
var nouns = map[Kind]string{Megabytes: "MB", Seconds: "segundos", Minutes: "minutos"}

// checkNumber accepts from 1 to the field's maximum, in the unit that the page shows.
func (p *fieldProblems) checkNumber(f Field, s Settings) {
	value, unit, most, who := f.number(s), units[f.Kind], f.Max, "."
	if s.Embedded && f.Ours > 0 {
		most, who = f.Ours, ", o que o serviço embutido aceita."
	}
	if value >= unit && value <= int64(most)*unit {
		return
	}
	p.add(f.Name, "limite", fmt.Sprintf("Escreva um número de 1 a %d %s%s", most, cmp.Or(f.Unit, nouns[f.Kind]), who))
}

// line is the value of a setting that is a text, "" of any other.
func (f Field) line(s Settings) string {
	if value, ok := f.At(&s).(*string); ok {
		return *value
	}
	return ""
}

// number is the value of a setting that is a number, a size or a time, 0 of any other.
func (f Field) number(s Settings) int64 {
	switch value := f.At(&s).(type) {
	case *int:
		return int64(*value)
	case *int64:
		return *value
	case *time.Duration:
		return int64(*value)
	}
	return 0
}
