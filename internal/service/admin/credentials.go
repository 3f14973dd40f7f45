package admin

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"guiche/internal/authorization"
	"guiche/internal/problem"
	"guiche/internal/service"

	"github.com/google/uuid"
)

// MaxOperatorTimeout is the longest that a credential may leave its operator.
const MaxOperatorTimeout = 10 * time.Minute

// Credentials searches credentials as partners do, and with q.Disabled those too
// that they do not see.
func (a *Admin) Credentials(ctx context.Context, q service.CredentialQuery) (service.CredentialPage, error) {
	return a.directory.SearchCredentials(ctx, q)
}

// HasCredentials reports whether there is any credential, disabled or not.
func (a *Admin) HasCredentials(ctx context.Context) (bool, error) {
	found, err := a.directory.SearchCredentials(ctx, service.CredentialQuery{Page: 1, Size: 1, Disabled: true})
	return found.Total > 0, err
}

// Credential returns one credential, disabled or not, or problem.NotFound.
func (a *Admin) Credential(ctx context.Context, id uuid.UUID) (service.Credential, error) {
	return a.directory.Credential(ctx, id)
}

// CheckCredential refuses a credential that must not be kept, with problem.Invalid
// about "nome", "codigoPrestador", "operadora", "registroANS", "contratado", "cnes",
// "formatoCarteira", "anexosObrigatorios", "indicacaoClinica" and "tempoLimite". An operator that is not
// connected stays with a credential that has it.
func (a *Admin) CheckCredential(ctx context.Context, c service.Credential) error {
	kept, err := a.directory.Credential(ctx, c.ID)
	if err != nil && !problem.Is(err, problem.NotFound) {
		return err
	}
	fields := credentialProblems(trimCredential(c))
	connected := slices.Contains(a.operators, c.Operator)
	if !connected && (c.Operator == "" || c.Operator != kept.Operator) {
		fields = append(fields, problem.Field{Path: "operadora", Code: authorization.CodeDomain, Message: "Escolha um conector da lista."})
	}
	return problem.InvalidFields(fields)
}

var (
	ansRegister = regexp.MustCompile(`^(\d{6})?$`)
	cnes        = regexp.MustCompile(`^(\d{7})?$`)
	codePattern = regexp.MustCompile(`^\d{1,20}\*?$`)
)

// MaxAttachmentCodes is how many codes may stand in Credential.AttachmentsFor.
const MaxAttachmentCodes = 200

func credentialProblems(c service.Credential) (fields []problem.Field) {
	wrong := func(on bool, path, code, message string) {
		if on {
			fields = append(fields, problem.Field{Path: path, Code: code, Message: message})
		}
	}
	for _, text := range []struct {
		path, value string
		most        int
	}{
		{"nome", c.Name, 100}, {"codigoPrestador", c.ProviderCode, 20}, {"contratado", c.Contractor, 70},
		{"indicacaoClinica", c.Indication, 500}, {"formatoCarteira", c.CardPattern, 200},
	} {
		wrong(utf8.RuneCountInString(text.value) > text.most, text.path, authorization.CodeLimit,
			fmt.Sprintf("Use no máximo %d caracteres.", text.most))
	}
	_, err := c.Rules()
	wrong(c.Name == "", "nome", authorization.CodeRequired, "Informe o nome da operadora.")
	wrong(!ansRegister.MatchString(c.ANSRegister), "registroANS", authorization.CodeFormat, "O registro na ANS tem 6 dígitos.")
	wrong(!cnes.MatchString(c.CNES), "cnes", authorization.CodeFormat, "O CNES tem 7 dígitos.")
	wrong(err != nil, "formatoCarteira", authorization.CodeFormat, "O padrão não é uma expressão regular.")
	message := wrongCodes(c.AttachmentsFor)
	wrong(message != "", "anexosObrigatorios", authorization.CodeFormat, message)
	wrong(c.Timeout < 0 || c.Timeout > MaxOperatorTimeout, "tempoLimite", authorization.CodeLimit,
		fmt.Sprintf("Use no máximo %d segundos.", int(MaxOperatorTimeout.Seconds())))
	return fields
}

// wrongCodes says what is wrong with Credential.AttachmentsFor, "" when nothing is.
func wrongCodes(codes []string) string {
	if len(codes) > MaxAttachmentCodes {
		return fmt.Sprintf("São no máximo %d códigos.", MaxAttachmentCodes)
	}
	var wrong []string
	for _, code := range codes {
		if !codePattern.MatchString(code) {
			wrong = append(wrong, fmt.Sprintf("“%.30s”", code))
		}
	}
	if len(wrong) == 0 {
		return ""
	}
	return "Use no máximo 20 dígitos por código, com um * no fim para todos os que começam assim. Confira " +
		strings.Join(wrong, ", ") + "."
}

// PutCredential adds a credential or replaces the one with the same ID. A card
// pattern that is no regular expression is problem.Invalid.
func (a *Admin) PutCredential(ctx context.Context, c service.Credential) error {
	c, err := keptCredential(c)
	if err != nil {
		return err
	}
	return a.directory.PutCredential(ctx, c)
}

// ChangeCredential puts in place of a credential what change makes of it as it stands by then, as
// ChangeProfile does of a profile.
func (a *Admin) ChangeCredential(ctx context.Context, id uuid.UUID, change func(service.Credential) (service.Credential, error)) error {
	return a.directory.ChangeCredential(ctx, id, func(now service.Credential) (service.Credential, error) {
		c, err := change(now)
		if err != nil {
			return now, err
		}
		return keptCredential(c)
	})
}

// keptCredential is a credential as it is kept, problem.Invalid about a card pattern that no
// request could be checked with.
func keptCredential(c service.Credential) (service.Credential, error) {
	c = trimCredential(c)
	if _, err := c.Rules(); err != nil {
		return c, problem.InvalidFields([]problem.Field{{
			Path: "formatoCarteira", Code: authorization.CodeFormat, Message: "O formato da carteira não é uma expressão regular.",
		}})
	}
	return c, nil
}
