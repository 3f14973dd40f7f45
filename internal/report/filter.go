package report

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/permission"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// Filter says which cases the history shows. Its zero value restricts nothing.
type Filter struct {
	From, Until authorization.LocalTime // days of sending, both included; zero: open
	Situation   Situation
	Credential  uuid.UUID
	Unit        uuid.UUID
	Sender      uuid.UUID
	Text        string // words of the beneficiary, the numbers and the procedures
}

// Situation is a group, a code or the lack of an answer; the zero value is any.
type Situation struct {
	Group   authorization.Group
	Status  authorization.Status
	Unknown bool // sent, and nobody knows
}

// unknownWord is the word of Situation.Unknown.
const unknownWord = "sem-resposta"

// ParseSituation reads the word of a filter: the word of a group ("vez"),
// "sem-resposta", or a code (specification 3); "" is any.
func ParseSituation(word string) (Situation, bool) {
	switch status := authorization.ParseStatus(word); {
	case word == "":
		return Situation{}, true
	case word == unknownWord:
		return Situation{Unknown: true}, true
	case status.Known():
		return Situation{Status: status}, true
	}
	for _, s := range Situations() {
		if s.Group != 0 && s.Group.Info().Slug == word {
			return s, true
		}
	}
	return Situation{}, false
}

// Situations lists the groups by which cases can be filtered, and the lack of an
// answer.
func Situations() []Situation {
	var all []Situation
	for _, g := range append(authorization.Groups(), authorization.Unrecognized) {
		all = append(all, Situation{Group: g})
	}
	return append(all, Situation{Unknown: true})
}

// Word is the inverse of ParseSituation.
func (s Situation) Word() string {
	switch {
	case s.Unknown:
		return unknownWord
	case s.Status != "":
		return string(s.Status)
	}
	return s.Group.Info().Slug
}

// Form is a filter as it was typed and chosen.
type Form struct {
	From, Until, Situation, Credential, Unit, Sender, Text string
}

// Names of the form's fields.
const (
	FieldFrom, FieldUntil, FieldSituation              = "de", "ate", "situacao"
	FieldCredential, FieldUnit, FieldSender, FieldText = "operadora", "unidade", "usuario", "texto"
)

// MaxText bounds the text of a filter, in characters.
const MaxText = 5000

// Form returns the filter as its form shows it.
func (f Filter) Form() Form {
	return Form{From: f.From.Date(), Until: f.Until.Date(), Situation: f.Situation.Word(),
		Credential: word(f.Credential), Unit: word(f.Unit), Sender: word(f.Sender), Text: f.Text}
}

func word(uid uuid.UUID) string {
	if uid == uuid.Nil {
		return ""
	}
	return uid.String()
}

// parser reads the fields of a form and collects what is wrong.
type parser struct {
	today  time.Time
	fields []problem.Field
}

func (p *parser) wrong(name, code, message string) {
	p.fields = append(p.fields, problem.Field{Path: name, Code: code, Message: message})
}

// dayParser reads a typed date, nearest to today.
type dayParser func(typed string, today time.Time) (authorization.LocalTime, error)

func (p *parser) day(name, label, typed string, parse dayParser) authorization.LocalTime {
	if strings.TrimSpace(typed) == "" {
		return authorization.LocalTime{}
	}
	day, err := parse(typed, p.today)
	if err != nil {
		p.wrong(name, "formato", authorization.DateMessage(err, label, label+": informe a data como DD/MM/AAAA."))
	}
	return day
}

func (p *parser) uid(name, chosen string) uuid.UUID {
	if chosen == "" {
		return uuid.Nil
	}
	uid, err := uuid.Parse(chosen)
	if err != nil {
		p.wrong(name, "dominio", "Escolha um item da lista.")
	}
	return uid
}

// Parse reads a form; problem.Invalid with all that is wrong with it.
func (h *History) Parse(form Form) (Filter, error) {
	p := parser{today: h.now().In(h.config.Zone)}
	f := Filter{From: p.day(FieldFrom, "De", form.From, authorization.ParseTypedStart),
		Until:      p.day(FieldUntil, "Até", form.Until, authorization.ParseTypedDate),
		Credential: p.uid(FieldCredential, form.Credential),
		Unit:       p.uid(FieldUnit, form.Unit), Sender: p.uid(FieldSender, form.Sender),
		Text: strings.TrimSpace(strings.ReplaceAll(strings.ToValidUTF8(form.Text, " "), "\x00", ""))}
	if !f.From.IsZero() && f.Until.Before(f.From) && !f.Until.IsZero() {
		p.wrong(FieldUntil, "dominio", "O fim do período vem antes do começo.")
	}
	var known bool
	if f.Situation, known = ParseSituation(form.Situation); !known {
		p.wrong(FieldSituation, "dominio", "Escolha um item da lista.")
	}
	if utf8.RuneCountInString(f.Text) > MaxText {
		p.wrong(FieldText, "limite", "Use no máximo 5.000 caracteres na busca.")
	}
	return f, problem.InvalidFields(p.fields)
}

// Keep stores a filter and returns its address, which is random and tells
// nothing of it; only its owner can use it.
func (h *History) Keep(ctx context.Context, a permission.Actor, f Filter) (uuid.UUID, error) {
	if err := a.Require(permission.SeePatients); err != nil {
		return uuid.Nil, err
	}
	uid, err := uuid.NewRandom()
	if err != nil {
		return uuid.Nil, fmt.Errorf("report: address of a filter: %w", err)
	}
	return uid, h.config.Store.KeepFilter(ctx, a.User, uid, f)
}

// Search lists the cases that the person's filter lets through, as Cases does; the audit
// trail says who searched with which one, and of whoever asked for another's, which is
// problem.NotFound. The list is read while the entry is brought to the disk, and handed out
// once it is there. Together runs what reads, of one moment with what else a page reads, and may run it again.
func (h *History) Search(ctx context.Context, a permission.Actor, uid, after uuid.UUID,
	together func(read func(context.Context) error) error) (f Filter, page Page, err error) {
	if err := a.Require(permission.SeePatients); err != nil {
		return Filter{}, Page{}, err
	}
	entry := audit.Entry{At: h.now(), Actor: a.User, Event: audit.HistorySearched, Object: audit.ObjectFilter, ObjectID: uid}
	var used <-chan error
	err = together(func(reading context.Context) (err error) {
		if f, err = h.config.Store.Filter(reading, a.User, uid); err != nil {
			return err
		}
		if used == nil { // it is one search, however often it is read
			used = beside(func() error { return h.config.Store.UseFilter(ctx, uid, entry) })
		}
		page, err = h.Cases(reading, a, f, after)
		return err
	})
	if used == nil {
		return Filter{}, Page{}, h.notOwn(ctx, entry, err)
	}
	if lost := <-used; lost != nil {
		return Filter{}, Page{}, lost
	}
	return f, page, err
}

// notOwn is the error of a filter that is not the person's.
func (h *History) notOwn(ctx context.Context, entry audit.Entry, refused error) error {
	entry.Detail = "alcance=pessoa"
	return h.denied(ctx, entry, h.config.Store.HasFilter, refused)
}

// beside runs fn beside the caller and hands on its error; a panic is one, too.
func beside(fn func() error) <-chan error {
	done := make(chan error, 1)
	go func() {
		defer func() {
			if cause := recover(); cause != nil {
				done <- fmt.Errorf("report: panic: %v", cause)
			}
		}()
		done <- fn()
	}()
	return done
}
