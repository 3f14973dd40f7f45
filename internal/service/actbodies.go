package service

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"guiche/internal/authorization"
	"guiche/internal/jsonscan"
)

// readAttachments reads {"anexos": […]}, whose items are those of a request (row 2).
func (s *Service) readAttachments(c *call) (wish, error) {
	doc, err := s.scan(c, s.keepAttachment, s.attachmentOptions(""))
	if err != nil {
		return wish{}, err
	}
	var wrong found
	var r authorization.Request
	if m, ok := object(doc.Rest(), "", &wrong.fields); ok {
		if err := m.decodeAttachments(&r, doc, s.limits); err != nil {
			return wish{}, err
		}
		if len(r.Attachments) == 0 && len(wrong.fields) == 0 {
			m.add("anexos", authorization.CodeRequired, "Envie pelo menos um anexo.")
		}
	}
	if len(wrong.fields) > 0 {
		return wish{}, invalid(wrong.fields...)
	}
	var parts []string
	for _, a := range r.Attachments {
		parts = append(parts, a.Name, a.ContentType, string(a.Blob))
	}
	return wish{
		fingerprint: fingerprintOf(ActAttachments, parts...), attachments: r.Attachments,
		tell: func(ctx context.Context, o Operator, at Standing) (Update, error) {
			return o.(AttachmentTaker).AddAttachments(ctx, at, r.Attachments) //nolint:forcetypeassert // deed.can asked
		},
	}, nil
}

// captureKinds are the words of biometrias[].tipo.
var captureKinds = []string{"digital", "facial", "palmar", "iris", "voz"}

// CaptureKinds lists what a biometric capture may be.
func CaptureKinds() []string { return slices.Clone(captureKinds) }

// maxCaptureBody is the most that a body with captures may hold: they stay in
// memory.
const maxCaptureBody = 8 << 20

// readCaptures reads {"biometrias": [{tipo, conteudo, dispositivo}]}. The captures
// never touch the disk, not even as a hash.
func (s *Service) readCaptures(c *call) (wish, error) {
	doc, err := s.scan(c, nil, jsonscan.Options{MaxBody: maxCaptureBody, MaxRest: maxCaptureBody, Depth: maxDepth})
	if err != nil {
		return wish{}, err
	}
	var wrong found
	captures := decodeCaptures(doc, s.limits.MaxCaptures, &wrong)
	if len(wrong.fields) > 0 {
		return wish{}, invalid(wrong.fields...)
	}
	parts := make([]string, len(captures))
	for i, capture := range captures {
		parts[i] = capture.Kind + "/" + capture.Device
	}
	return wish{
		fingerprint: fingerprintOf(ActBiometrics, parts...),
		tell: func(ctx context.Context, o Operator, at Standing) (Update, error) {
			return o.(BiometricChecker).CheckBiometrics(ctx, at, captures) //nolint:forcetypeassert // deed.can asked
		},
	}, nil
}

func decodeCaptures(doc *jsonscan.Document, most int, wrong *found) []Capture {
	m, ok := object(doc.Rest(), "", &wrong.fields)
	if !ok {
		return nil
	}
	elements, path := m.list("biometrias")
	if len(elements) == 0 && len(wrong.fields) == 0 {
		m.add("biometrias", authorization.CodeRequired, "Envie pelo menos uma biometria.")
	}
	if len(elements) > most {
		m.add("biometrias", authorization.CodeLimit, fmt.Sprintf("São no máximo %d biometrias.", most))
		return nil
	}
	captures := make([]Capture, 0, len(elements))
	for i, element := range elements {
		if item, ok := object(element, path(i), m.wrong); ok {
			captures = append(captures, item.capture())
		}
	}
	return captures
}

func (m members) capture() (out Capture) {
	m.text("tipo", &out.Kind)
	if !slices.Contains(captureKinds, out.Kind) {
		m.add("tipo", authorization.CodeDomain, "tipo deve ser um destes: "+strings.Join(captureKinds, ", ")+".")
	}
	m.text("dispositivo", &out.Device)
	var text string
	name := m.first([]string{"conteudo", "base64"})
	before := len(*m.wrong)
	if m.text(name, &text); len(*m.wrong) > before {
		return out
	}
	var err error
	if out.Data, err = jsonscan.DecodeBase64(text); err != nil {
		m.add(name, authorization.CodeFormat, "A biometria não está em base64.")
	} else if len(out.Data) == 0 {
		m.add(name, authorization.CodeRequired, "A biometria está vazia.")
	}
	return out
}

// maxReason is the longest motivo, in characters.
const maxReason = 500

// readCancel reads {"motivo": "…"}; the reason may be left out.
func (s *Service) readCancel(c *call) (wish, error) {
	doc, err := s.scan(c, nil, jsonscan.Options{MaxBody: maxRest, MaxRest: maxRest, Depth: maxDepth})
	if err != nil {
		return wish{}, err
	}
	var wrong found
	var reason string
	if m, ok := object(doc.Rest(), "", &wrong.fields); ok {
		m.text("motivo", &reason)
		if reason = strings.TrimSpace(reason); utf8.RuneCountInString(reason) > maxReason {
			m.add("motivo", authorization.CodeLimit, fmt.Sprintf("O motivo tem no máximo %d caracteres.", maxReason))
		}
	}
	if len(wrong.fields) > 0 {
		return wish{}, invalid(wrong.fields...)
	}
	return wish{
		fingerprint: fingerprintOf(ActCancel, reason), note: reason,
		tell: func(ctx context.Context, o Operator, at Standing) (Update, error) {
			return o.(Canceller).Cancel(ctx, at, reason) //nolint:forcetypeassert // deed.can asked
		},
	}, nil
}
