package service

import (
	"context"
	"net/http"

	"guiche/internal/authorization"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// eligibilityDoc is data of an eligibility answer (row 15).
type eligibilityDoc struct {
	Eligible     bool     `json:"elegivel"`
	Situation    string   `json:"situacao"`
	Name         string   `json:"nomeBeneficiario"`
	Plan         string   `json:"planoBeneficiario"`
	CardValidity *string  `json:"validadeCarteira"`
	Messages     []string `json:"mensagens"`
}

// checkEligibility serves GET /api/v1/elegibilidade (4.4 and row 15). Nothing of
// it is kept or logged.
func (s *Service) checkEligibility(w http.ResponseWriter, c *call) error {
	asked, err := s.eligibilityRequest(c)
	if err != nil {
		return err
	}
	operator, ok := s.operators[asked.Credential.Operator]
	if !ok {
		return s.errUnconnected()
	}
	checker, ok := operator.(EligibilityChecker)
	if !ok {
		return conflict(codeNotOffered, "A operadora desta credencial não informa elegibilidade.")
	}
	leave := s.calls.take(c.Context(), asked.Credential.ID, s.limits.BusyWait)
	if leave == nil {
		return s.errCrowded()
	}
	ctx, cancel := s.operatorContext(c.Context(), asked.Credential)
	defer cancel()
	told, err := within(ctx, leave, func(ctx context.Context) (Eligibility, error) { return checker.CheckEligibility(ctx, asked) })
	if err != nil {
		return s.queryFailed(asked.Credential, err)
	}
	return writeEnvelope(w, http.StatusOK, newEnvelope(eligibilityDoc{
		Eligible: told.Eligible, Situation: told.Situation, Name: told.Name, Plan: told.Plan,
		CardValidity: orNull(told.CardValidity.String()), Messages: append([]string{}, told.Messages...),
	}, nil))
}

// queryFailed is the refusal for a question that changes nothing.
func (s *Service) queryFailed(credential Credential, cause error) error {
	code := failureCode(cause)
	s.logger.Warn("operator failed", "operator", credential.Operator, "code", code, "cause", cause)
	r := &refusal{status: http.StatusBadGateway, code: code, message: "Houve uma falha na comunicação com a operadora. Tente de novo em instantes.", cause: cause}
	if code == codeOperatorTimeout {
		r.status, r.message = http.StatusGatewayTimeout, "A operadora não respondeu a tempo. Tente de novo em instantes."
	}
	return r
}

// eligibilityRequest reads the query with the rules of a request for the same
// fields; the credential is named by its credencialElegibilityId.
func (s *Service) eligibilityRequest(c *call) (EligibilityRequest, error) {
	values, err := parameters(c)
	if err != nil {
		return EligibilityRequest{}, err
	}
	out := EligibilityRequest{AskedAt: s.clock().In(s.zone), CardNumber: values.Get("numeroCarteira")}
	p := found{known: map[string]bool{}}
	credential, rules, err := s.eligibilityCredential(c.Context(), values.Get("credencialId"), &p)
	if err != nil {
		return out, err
	}
	if text := values.Get("validadeCarteira"); text != "" {
		if out.CardValidity, err = authorization.ParseLocalTime(text); err != nil {
			p.add(problem.Field{Path: "validadeCarteira", Code: authorization.CodeFormat,
				Message: "validadeCarteira deve ser uma data ISO 8601, como 2027-12-31T00:00:00."})
		}
	}
	card := authorization.Request{CardNumber: out.CardNumber, CardValidity: out.CardValidity}
	for _, f := range card.Problems(rules) {
		if f.Path == "numeroCarteira" || f.Path == "validadeCarteira" {
			p.add(forPrograms(f))
		}
	}
	if len(p.fields) > 0 {
		return out, invalid(p.fields...)
	}
	out.Credential = credential
	return out, nil
}

// isUUID reports whether a text is a UUID in its one usual form.
func isUUID(text string) bool {
	return len(text) == len(uuid.Nil.String()) && uuid.Validate(text) == nil
}

func (s *Service) eligibilityCredential(ctx context.Context, text string, p *found) (Credential, authorization.Rules, error) {
	if text == "" {
		p.add(problem.Field{Path: "credencialId", Code: authorization.CodeRequired, Message: "Informe credencialId, com o credencialElegibilityId da credencial."})
		return Credential{}, authorization.Rules{}, nil
	}
	if !isUUID(text) {
		p.add(problem.Field{Path: "credencialId", Code: authorization.CodeFormat, Message: "credencialId deve ser um UUID."})
		return Credential{}, authorization.Rules{}, nil
	}
	c, err := s.store.CredentialByEligibility(ctx, uuid.MustParse(text))
	if problem.Is(err, problem.NotFound) {
		p.unknown("credencialId", "Esta credencial de elegibilidade não existe.")
		return Credential{}, authorization.Rules{}, nil
	}
	if err != nil {
		return c, authorization.Rules{}, err
	}
	rules, err := c.rules()
	return c, rules, err
}
