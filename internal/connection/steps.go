package connection

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"

	"guiche/internal/audit"
	"guiche/internal/egress"
	"guiche/internal/permission"
	"guiche/internal/problem"
)

// StepName is one step of the test.
type StepName string

// The steps, in their order.
const (
	StepResolve     StepName = "nome"          // the host's name
	StepConnect     StepName = "conexao"       // connection, TLS and certificate
	StepLogin       StepName = "entrada"       // login or token
	StepSearch      StepName = "busca"         // credential search (specification 4.1)
	StepFeatures    StepName = "recursos"      // interface.md, row 17
	StepLists       StepName = "cadastros"     // units and professionals (interface.md, row 13)
	StepEligibility StepName = "elegibilidade" // interface.md, row 15
)

// Result is how a step went.
type Result string

// The results.
const (
	Passed  Result = "certo"
	Failed  Result = "falhou"
	Skipped Result = "pulado" // not needed, or a step before it failed
)

// Step is what one step of the test found.
type Step struct {
	Name    StepName
	Result  Result
	Message string // for the person
}

// Test tries the way by what is typed, the stored secret where none is: every step
// up to the first that fails. No authorization is sent and nothing is kept but the
// audit entry. Errors: problem.Invalid with the fields.
func (m *Manager) Test(ctx context.Context, by permission.Actor, c Change) ([]Step, error) {
	if err := by.Require(permission.ManageConnection); err != nil {
		return nil, err
	}
	stored, err := m.config.Store.Load(ctx)
	if err != nil {
		return nil, fmt.Errorf("connection: test: %w", err)
	}
	c.Settings = m.config.Overrides.restore(c.Settings, stored.Settings)
	plan := m.plan(stored, c)
	if err := m.check(plan); err != nil {
		return nil, err
	}
	steps, err := m.try(ctx, plan)
	if err != nil {
		return nil, fmt.Errorf("connection: test: %w", err)
	}
	words := make([]string, len(steps))
	for i, s := range steps {
		words[i] = string(s.Name) + "=" + string(s.Result)
	}
	// Whoever left meanwhile has tried a secret all the same.
	if err := m.config.Store.AppendAudit(context.WithoutCancel(ctx),
		m.entry(by.User, audit.ConnectionTested, strings.Join(words, " "))); err != nil {
		return nil, fmt.Errorf("connection: test: %w", err)
	}
	return steps, nil
}

// try makes the steps. What comes after a failure is not tried: its result would
// say nothing more.
func (m *Manager) try(ctx context.Context, p Plan) ([]Step, error) {
	trial, err := m.config.ServiceClient.Try(ctx, p)
	if err != nil {
		return nil, err
	}
	defer trial.Close()
	var steps []Step
	features := p.Features
	failed := false
	for _, s := range []struct {
		name StepName
		make func(context.Context) (Result, string)
	}{
		{StepResolve, func(ctx context.Context) (Result, string) { return m.tryName(ctx, p) }},
		{StepConnect, func(ctx context.Context) (Result, string) { return m.tryConnection(ctx, p) }},
		{StepLogin, func(ctx context.Context) (Result, string) { return tryLogin(ctx, p, trial) }},
		{StepSearch, func(ctx context.Context) (Result, string) { return trySearch(ctx, trial) }},
		{StepFeatures, func(ctx context.Context) (result Result, words string) {
			features, result, words = tryFeatures(ctx, p, trial)
			return result, words
		}},
		{StepLists, func(ctx context.Context) (Result, string) { return tryLists(ctx, trial) }},
		{StepEligibility, func(context.Context) (Result, string) { return tryEligibility(p, features) }},
	} {
		step := Step{s.name, Skipped, "Não chegou a ser testado."}
		if !failed {
			step.Result, step.Message = s.make(ctx)
		}
		failed = failed || step.Result == Failed
		steps = append(steps, step)
	}
	return steps, nil
}

// tryName looks the host's name up.
func (m *Manager) tryName(ctx context.Context, p Plan) (Result, string) {
	if p.Embedded {
		return Skipped, "O serviço embutido está dentro do Guichê."
	}
	if proxy := m.config.Route.Proxy; proxy != nil {
		return Skipped, "O nome é procurado pelo proxy de saída, " + proxy.String() + "."
	}
	ctx, cancel := context.WithTimeout(ctx, p.Connect)
	defer cancel()
	found, err := p.Guard(m.config.Route).Resolve(ctx, p.Host())
	switch {
	case errors.Is(err, ErrLinkLocal):
		return Failed, linkLocalMessage
	case errors.Is(err, ErrInternal):
		return Failed, internalMessage
	case err != nil:
		return Failed, "O nome não foi encontrado. Confira o endereço e o DNS da rede."
	}
	texts := make([]string, len(found))
	for i, addr := range found {
		texts[i] = addr.Unmap().String()
	}
	return Passed, "Encontrado: " + strings.Join(texts, ", ") + "."
}

const (
	internalMessage  = "O endereço é da rede interna e não está permitido."
	linkLocalMessage = "Endereços 169.254.… e fe80:… nunca são permitidos: neles responde a própria máquina, não um serviço."
)

// tryConnection connects, with TLS where the address asks for it, and sends nothing.
func (m *Manager) tryConnection(ctx context.Context, p Plan) (Result, string) {
	if p.Embedded {
		return Skipped, "O serviço embutido está dentro do Guichê."
	}
	ctx, cancel := context.WithTimeout(ctx, p.Connect)
	defer cancel()
	u, err := url.Parse(p.BaseURL)
	if err != nil {
		return Failed, "O endereço não pode ser lido."
	}
	conn, err := p.Guard(m.config.Route).DialContext(ctx, "tcp", hostPort(u))
	if err != nil {
		return Failed, dialMessage(err)
	}
	defer func() { _ = conn.Close() }() // nothing was sent that matters
	if u.Scheme != "https" {
		return Passed, "Conectado, sem TLS: use só na rede interna."
	}
	return m.tryTLS(ctx, conn, dialled(u))
}

// dialMessage says why there is no connection.
func dialMessage(err error) string {
	var refused *egress.RefusedError
	switch {
	case errors.Is(err, ErrLinkLocal):
		return linkLocalMessage
	case errors.Is(err, ErrInternal):
		return internalMessage
	case errors.As(err, &refused) && refused.Status == http.StatusProxyAuthRequired:
		return "O proxy de saída não aceitou o usuário e a senha dele (GUICHE_SERVICE_PROXY)."
	case errors.As(err, &refused):
		return "O proxy de saída não abriu a conexão com este endereço e porta. Confira o endereço e as regras do proxy."
	case errors.Is(err, egress.ErrProxyUnreachable):
		return "O proxy de saída não atende (GUICHE_SERVICE_PROXY)."
	}
	return "Ninguém atende neste endereço e porta. Confira a porta e a saída da rede."
}

// tryTLS names what is wrong with a certificate, which is what stops people.
func (m *Manager) tryTLS(ctx context.Context, conn net.Conn, host string) (Result, string) {
	secured := tls.Client(conn, &tls.Config{MinVersion: tls.VersionTLS12, ServerName: host, RootCAs: m.config.Route.Roots(),
		NextProtos: []string{"http/1.1"}})
	err := secured.HandshakeContext(ctx)
	var invalid x509.CertificateInvalidError
	switch {
	case err == nil:
		state := secured.ConnectionState()
		return Passed, fmt.Sprintf("%s; certificado válido até %s.", tls.VersionName(state.Version),
			state.PeerCertificates[0].NotAfter.Format("02/01/2006"))
	case errors.As(err, new(x509.UnknownAuthorityError)):
		return Failed, "O certificado é de uma autoridade que este computador não conhece."
	case errors.As(err, new(x509.HostnameError)):
		return Failed, "O certificado é de outro nome, não deste endereço."
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return Failed, "O certificado está vencido, ou o relógio deste computador está errado."
	case errors.As(err, new(*tls.CertificateVerificationError)):
		return Failed, "O certificado não vale."
	}
	return Failed, "Quem atende neste endereço não fala TLS 1.2 ou mais novo."
}

// tryLogin opens a session where the method has one.
func tryLogin(ctx context.Context, p Plan, trial Trial) (Result, string) {
	switch {
	case p.Embedded:
		return Skipped, "O serviço embutido dá ao balcão uma chave própria a cada início."
	case p.Method == APIKey:
		return Skipped, "A chave vai em cada pergunta: a busca abaixo a confere."
	}
	if err := trial.LogIn(ctx); err != nil {
		return Failed, sentence(err)
	}
	return Passed, "O serviço deu um token."
}

// trySearch asks for the credentials: the cheapest question that needs a valid login and
// changes nothing.
func trySearch(ctx context.Context, trial Trial) (Result, string) {
	found, err := trial.SearchCredentials(ctx, "")
	switch {
	case err != nil:
		return Failed, sentence(err)
	case len(found) == 0:
		return Passed, "O acesso foi aceito, mas não há nenhuma credencial."
	}
	return Passed, "O acesso foi aceito: " + counted(len(found), "credencial", "credenciais") + "."
}

// sentence is what administração reads of an error, without the advice to tell it.
func sentence(err error) string {
	var p *problem.Error
	if errors.As(err, &p) && p.Message != "" {
		return strings.TrimSuffix(p.Message, " Avise a administração.")
	}
	return "Não deu certo. Tente de novo em instantes."
}
