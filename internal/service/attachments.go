package service

import (
	"context"
	"errors"
	"fmt"

	"guiche/internal/authorization"
	"guiche/internal/document"
	"guiche/internal/problem"
)

// identified returns attachments as an operator may be handed them: with the type that
// their content has and a clean name that fits it. What is none of the kinds of row 2 is
// a problem of its place in the list.
func (s *Service) identified(ctx context.Context, sent []authorization.Attachment) ([]authorization.Attachment, []problem.Field, error) {
	var wrong []problem.Field
	clean := make([]authorization.Attachment, len(sent))
	for i, a := range sent {
		if a.Name == "" {
			a.Name = fmt.Sprintf("anexo-%d", i+1)
		}
		found, err := s.identify(ctx, a)
		var refused *problem.Error
		if errors.As(err, &refused) {
			wrong = append(wrong, problem.Field{Path: fmt.Sprintf("anexos[%d]", i), Code: authorization.CodeFormat, Message: refused.Message})
		} else if err != nil {
			return nil, nil, err
		}
		a.Name, a.ContentType = found.Name, found.ContentType
		clean[i] = a
	}
	return clean, wrong, nil
}

func (s *Service) identify(ctx context.Context, a authorization.Attachment) (_ document.Info, err error) {
	if a.Blob == "" {
		return document.Info{}, nil // its content could not be read, which is a problem already
	}
	content, err := s.blobs.Open(ctx, a.Blob)
	if err != nil {
		// That it is gone is no problem of the sender's, so it is not wrapped.
		return document.Info{}, fmt.Errorf("service: read an attachment: %v", err) //nolint:errorlint // see above
	}
	defer func() { err = errors.Join(err, content.Close()) }()
	return document.Identify(content, a.Name)
}
