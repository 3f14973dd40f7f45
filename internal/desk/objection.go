package desk

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"guiche/internal/authorization"
	"guiche/internal/permission"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// Refusals returns what the service or the operator objected to in the case that a draft
// corrects, to be shown beside the fields until something of the draft is changed. What is
// about no field has no path.
func (d *Desk) Refusals(ctx context.Context, a permission.Actor, draft Draft) ([]problem.Field, error) {
	if draft.Copy != Correction || draft.Revision > 1 {
		return nil, nil
	}
	c, found, err := d.copied(ctx, a, draft.Previous)
	if err != nil || !found {
		return nil, err
	}
	if c.Reason == ReasonDamaged { // the draft has no such file, and its others have moved up
		for i := range c.Fields {
			c.Fields[i].Path = "anexos"
		}
	}
	if c.State == Answered && c.Answer != nil {
		return objections(*c.Answer, c.Request), nil
	}
	return c.Fields, nil
}

// copied is the case that a draft was copied from, unless the person no longer works where it
// is. Nobody asked for it, so the trail tells nothing.
func (d *Desk) copied(ctx context.Context, a permission.Actor, uid uuid.UUID) (c Case, found bool, err error) {
	if err := a.Require(permission.SeePatients); err != nil {
		return c, false, err
	}
	c, err = d.config.Store.Case(ctx, a.Reach(), uid)
	if problem.Is(err, problem.NotFound) {
		return c, false, nil
	}
	return c, err == nil, err
}

// objections are the operator's words about a request, each with the field that it is about.
func objections(answer authorization.Answer, asked authorization.Request) []problem.Field {
	var told objectionList
	told.addErrors(answer.Errors)
	for _, z := range answer.Authorizations {
		switch z.Status {
		case authorization.InvalidBeneficiary:
			told.add("numeroCarteira", "A operadora não reconhece este beneficiário. Confira a carteira e a operadora.")
		case authorization.AwaitingAttachment:
			told.add("anexos", "A operadora pede um anexo.")
		}
		for _, p := range z.Procedures {
			if p.Authorized < p.Quantity {
				told.add(pathOfProcedure(asked, p), p.Justification)
			}
		}
		told.addErrors(z.Errors)
	}
	return told
}

// objectionList collects messages, those of one field in one line.
type objectionList []problem.Field

func (l *objectionList) add(path, message string) {
	if message = strings.TrimSpace(message); message == "" {
		return
	}
	at := slices.IndexFunc(*l, func(f problem.Field) bool { return f.Path == path && (path != "" || f.Message == message) })
	switch {
	case at < 0:
		*l = append(*l, problem.Field{Path: path, Code: authorization.CodeDomain, Message: message})
	case !strings.Contains((*l)[at].Message, message):
		(*l)[at].Message += " " + message
	}
}

func (l *objectionList) addErrors(errors []authorization.AnswerError) {
	for _, e := range errors {
		if !e.Finding() {
			l.add(formPath(e.Field), e.Message)
		}
	}
}

// formPath is the path of a field of the form, "" of anything else.
func formPath(path string) string {
	list, _, _ := strings.Cut(path, "[")
	if list == "procedimentos" || list == "anexos" || slices.Contains(formFields, path) {
		return path
	}
	return ""
}

// pathOfProcedure is what of a request a result is about: the quantity of what was authorized in
// part, else the code; "" of a procedure that was not asked for.
func pathOfProcedure(r authorization.Request, result authorization.ProcedureResult) string {
	at := slices.IndexFunc(r.Procedures, func(p authorization.Procedure) bool { return p.Code == result.Code })
	switch {
	case at < 0:
		return ""
	case result.Authorized > 0:
		return "procedimentos[" + strconv.Itoa(at) + "].quantidade"
	}
	return "procedimentos[" + strconv.Itoa(at) + "].codigoProcedimento"
}
