package service

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	"guiche/internal/authorization"
	"guiche/internal/jsonscan"
	"guiche/internal/problem"
)

// readBody reads a request as a stream, its attachments straight into blobs
// (row 12): 415, 413, 400 and 422 in the order of row 8.
func (s *Service) readBody(c *call, o operation) (reading, error) {
	doc, err := s.scan(c, s.keepAttachment, s.attachmentOptions(o.member))
	if err != nil {
		return reading{}, err
	}
	return s.decode(doc, o)
}

// attachmentOptions extract the attachments of a member of the body.
func (s *Service) attachmentOptions(member string) jsonscan.Options {
	return jsonscan.Options{
		MaxBody: s.limits.MaxBody, MaxRest: maxRest, MaxExtracted: s.limits.MaxAttachment,
		Inline: -1, Depth: maxDepth, Extract: isAttachment(s.limits, member),
	}
}

// scan reads a body that must be JSON within the limits.
func (s *Service) scan(c *call, sink jsonscan.Sink, o jsonscan.Options) (*jsonscan.Document, error) {
	if err := checkContentType(c.Header); err != nil {
		return nil, err
	}
	if c.ContentLength > o.MaxBody {
		return nil, bodyTooLarge(o.MaxBody)
	}
	doc, err := jsonscan.Read(c.Context(), c.Body, sink, o)
	if err != nil {
		var wrong *jsonscan.Error
		if errors.As(err, &wrong) && wrong.Kind == jsonscan.TooLarge {
			return nil, bodyTooLarge(o.MaxBody)
		}
		return nil, s.bodyRefused(err)
	}
	return doc, nil
}

func checkContentType(h http.Header) error {
	kind, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	charset := params["charset"]
	if err != nil || kind != "application/json" || charset != "" && !strings.EqualFold(charset, "utf-8") {
		return problem.New(problem.Unsupported, "O corpo deve ser application/json em UTF-8.")
	}
	if encoding := h.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		return problem.New(problem.Unsupported, "O corpo não pode vir comprimido.")
	}
	return nil
}

func (s *Service) keepAttachment(ctx context.Context, r io.Reader) (string, int64, error) {
	info, err := s.blobs.Put(ctx, r)
	return string(info.Ref), info.Size, err
}

func bodyTooLarge(most int64) *refusal {
	return tooLarge("", fmt.Sprintf("O pedido tem no máximo %d MiB.", most>>20))
}

// unreadable are the sentences for what cannot be read at all (row 9).
var unreadable = map[jsonscan.Kind]string{
	jsonscan.Empty:     "O corpo está vazio.",
	jsonscan.Syntax:    "O corpo não é um JSON válido: erro no byte %d.",
	jsonscan.UTF8:      "O corpo não está em UTF-8.",
	jsonscan.Depth:     "O corpo tem níveis demais.",
	jsonscan.Duplicate: "Uma propriedade aparece duas vezes.",
	jsonscan.Trailing:  "Há algo depois do fim do JSON.",
}

// bodyRefused tells what jsonscan found; anything else is the connection's end or
// a failure of ours.
func (s *Service) bodyRefused(err error) error {
	var wrong *jsonscan.Error
	switch {
	case errors.As(err, &wrong):
	case errors.Is(err, errCut):
		return problem.Wrap(problem.Unreadable, "O corpo chegou cortado.", err)
	default:
		return fmt.Errorf("service: read body: %w", err)
	}
	if message, ok := unreadable[wrong.Kind]; ok {
		if wrong.Kind == jsonscan.Syntax {
			message = fmt.Sprintf(message, wrong.Offset)
		}
		refused := unreadableField(wrong.Path, message)
		refused.cause = err
		return refused
	}
	if wrong.Kind != jsonscan.RestTooLarge {
		return bodyTooLarge(s.limits.MaxBody)
	}
	if path, ok := s.excessAttachment(wrong.Path); ok {
		return invalid(problem.Field{Path: path, Code: authorization.CodeLimit, Message: s.limits.tooManyAttachments()})
	}
	return tooLarge(wrong.Path, "O pedido sem os anexos tem no máximo 1 MiB.")
}

// excessAttachment returns the list of attachments to which a path leads, when it
// leads past the last that is taken: those are not extracted from the body.
func (s *Service) excessAttachment(path string) (string, bool) {
	for _, o := range []operation{atOnce, afterwards} {
		list := o.prefix() + "anexos"
		var index int
		if n, _ := fmt.Sscanf(path, list+"[%d]", &index); n == 1 && index >= s.limits.MaxAttachments {
			return list, true
		}
	}
	return "", false
}

func (l Limits) tooManyAttachments() string {
	return fmt.Sprintf("Um pedido leva no máximo %d anexos.", l.MaxAttachments)
}

// check returns everything that is wrong with a request: what could not be read,
// then what the rules of row 1 and the registers say about the rest.
func (s *Service) check(ctx context.Context, in reading) (Credential, error) {
	p := found{known: map[string]bool{}}
	for _, f := range in.wrong {
		p.add(f)
	}
	credential, rules, err := s.credentialRules(ctx, in.request)
	if err != nil {
		return credential, err
	}
	p.prefix = in.prefix
	for _, f := range in.request.Problems(rules) {
		p.add(forPrograms(f))
	}
	if err := s.checkReferences(ctx, in.request, credential, &p); err != nil {
		return credential, err
	}
	if len(p.fields) > 0 {
		return credential, invalid(p.fields...)
	}
	return credential, nil
}

// found collects problems, one for each path.
type found struct {
	fields []problem.Field
	known  map[string]bool
	prefix string // of the paths that are added
}

func (p *found) add(f problem.Field) {
	f.Path = p.prefix + f.Path
	if !p.known[f.Path] {
		p.known[f.Path] = true
		p.fields = append(p.fields, f)
	}
}

func (p *found) unknown(path, message string) {
	p.add(problem.Field{Path: path, Code: authorization.CodeDomain, Message: message})
}
