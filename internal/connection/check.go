package connection

import (
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"guiche/internal/problem"
)

// Names of the settings, as forms and the audit trail have them.
const (
	FieldEmbedded      = "servico"
	FieldBaseURL       = "endereco"
	FieldInternal      = "enderecoInterno"
	FieldMethod        = "metodo"
	FieldUser          = "usuarioServico"
	FieldLoginPath     = "caminhoLogin"
	FieldUserName      = "campoUsuario"
	FieldPassName      = "campoSenha"
	FieldRefreshPath   = "caminhoRenovacao"
	FieldClientID      = "clienteId"
	FieldTokenPath     = "caminhoToken"
	FieldScope         = "escopo"
	FieldClientBasic   = "envioCliente"
	FieldUnits         = "caminhoUnidades"
	FieldProfessionals = "caminhoExecutantes"
	FieldEligibility   = "usoElegibilidade"
	FieldEligiblePath  = "caminhoElegibilidade"
	FieldAttachments   = "formatoAnexos"
	FieldUploadFiles   = "maximoArquivos"
	FieldUploadFile    = "maximoArquivo"
	FieldUploadTotal   = "maximoAnexos"
	FieldConnect       = "tempoConexao"
	FieldQuery         = "tempoConsulta"
	FieldAnswer        = "tempoResposta"
	FieldDeadline      = "prazo"
	FieldByHand        = "origemRecursos"
	FieldFeatures      = "recursos"
)

// FieldSecret is the name of the field of a method's secret.
func FieldSecret(m Method) string {
	switch m {
	case Password:
		return "senhaServico"
	case OAuth:
		return "segredoCliente"
	}
	return "chaveApi"
}

// Times that a setting may take.
const (
	maxWait     = time.Minute
	maxAnswer   = 10 * time.Minute
	maxDeadline = 24 * time.Hour
)

// Attachments that a setting may allow.
const (
	maxUploadFiles = 100
	maxUploadFile  = 500 << 20  // bytes
	maxUploadTotal = 2000 << 20 // bytes
)

// Lengths, in characters, as the schema has them.
const (
	maxAddress = 300
	maxHost    = 253
	maxText    = 200
	maxName    = 64
)

// Check returns every setting that cannot work, as fields for the person.
func (s Settings) Check() []problem.Field {
	var p problems
	p.kept(s)
	if !s.Embedded {
		p.address(s)
		p.access(s)
	}
	p.lists(s)
	p.choice(FieldAttachments, s.Attachments, AttachmentObject, AttachmentString)
	p.uploads(s)
	p.between(FieldConnect, s.Connect, time.Second, maxWait, "segundos")
	p.between(FieldQuery, s.Query, time.Second, maxWait, "segundos")
	p.between(FieldAnswer, s.Answer, time.Second, maxAnswer, "segundos")
	p.between(FieldDeadline, s.Deadline, time.Minute, maxDeadline, "minutos")
	for _, word := range s.Features {
		p.choice(FieldFeatures, word, FeatureNames()...)
	}
	return p
}

type problems []problem.Field

func (p *problems) add(path, code, message string) {
	*p = append(*p, problem.Field{Path: path, Code: code, Message: message})
}

func (p *problems) choice(path, value string, allowed ...string) {
	if !slices.Contains(allowed, value) {
		p.add(path, "dominio", "Escolha uma das opções.")
	}
}

func (p *problems) between(path string, d, least, most time.Duration, unit string) {
	if d >= least && d <= most {
		return
	}
	size := time.Second
	if unit == "minutos" {
		size = time.Minute
	}
	p.add(path, "limite", fmt.Sprintf("Escreva um número de %d a %d %s.", least/size, most/size, unit))
}

// kept holds what is stored to its bounds, also where it does not count now.
func (p *problems) kept(s Settings) {
	if !slices.Contains(Methods(), s.Method) {
		p.add(FieldMethod, "dominio", "Escolha uma das opções.")
	}
	for _, f := range []struct {
		path, value string
		most        int
	}{
		{FieldBaseURL, s.BaseURL, maxAddress}, {FieldInternal, s.InternalHost, maxHost}, {FieldUser, s.User, maxText}, {FieldLoginPath, s.LoginPath, maxText},
		{FieldUserName, s.UserField, maxName}, {FieldPassName, s.PasswordField, maxName}, {FieldRefreshPath, s.RefreshPath, maxText},
		{FieldClientID, s.ClientID, maxText}, {FieldTokenPath, s.TokenPath, maxText}, {FieldScope, s.Scope, maxText},
		{FieldUnits, s.UnitsPath, maxText}, {FieldProfessionals, s.ProfessionalsPath, maxText}, {FieldEligiblePath, s.EligibilityPath, maxText},
	} {
		if utf8.RuneCountInString(f.value) > f.most {
			p.add(f.path, "limite", fmt.Sprintf("Use até %d caracteres.", f.most))
		}
	}
}

func (p *problems) access(s Settings) {
	switch s.Method {
	case Password:
		p.text(FieldUser, s.User, "Escreva o usuário do serviço.")
		p.path(FieldLoginPath, s.LoginPath)
		p.text(FieldUserName, s.UserField, "Escreva o nome do campo do usuário.")
		p.text(FieldPassName, s.PasswordField, "Escreva o nome do campo da senha.")
		if s.UserField != "" && s.UserField == s.PasswordField {
			p.add(FieldPassName, "dominio", "Os dois campos precisam de nomes diferentes.")
		}
		p.pathOrNone(FieldRefreshPath, s.RefreshPath)
	case OAuth:
		p.text(FieldClientID, s.ClientID, "Escreva o client_id.")
		p.path(FieldTokenPath, s.TokenPath)
		if s.Scope != "" {
			p.text(FieldScope, s.Scope, "")
		}
	}
}

// lists are what the service tells besides authorizations.
func (p *problems) lists(s Settings) {
	p.choice(FieldEligibility, string(s.Eligibility), string(EligibilityAnnounced), string(EligibilityAlways), string(EligibilityNever))
	if s.Embedded {
		return
	}
	p.pathOrNone(FieldUnits, s.UnitsPath)
	p.pathOrNone(FieldProfessionals, s.ProfessionalsPath)
	if s.Eligibility != EligibilityNever {
		p.path(FieldEligiblePath, s.EligibilityPath)
	}
}

func (p *problems) uploads(s Settings) {
	const megabyte = 1 << 20
	if s.UploadFiles < 1 || s.UploadFiles > maxUploadFiles {
		p.add(FieldUploadFiles, "limite", fmt.Sprintf("Escreva um número de 1 a %d arquivos.", maxUploadFiles))
	}
	p.size(FieldUploadFile, s.UploadFile, maxUploadFile)
	p.size(FieldUploadTotal, s.UploadTotal, maxUploadTotal)
	if s.UploadTotal >= megabyte && s.UploadFile > s.UploadTotal {
		p.add(FieldUploadTotal, "limite", "O total não pode ser menor que um arquivo.")
	}
}

func (p *problems) size(path string, bytes, most int64) {
	if bytes < 1<<20 || bytes > most {
		p.add(path, "limite", fmt.Sprintf("Escreva um número de 1 a %d MB.", most>>20))
	}
}

// text wants a line.
func (p *problems) text(path, value, missing string) {
	switch {
	case value == "":
		p.add(path, "obrigatorio", missing)
	case strings.ContainsFunc(value, unicode.IsControl):
		p.add(path, "formato", "Use só letras, números e sinais.")
	}
}

func (p *problems) pathOrNone(path, value string) {
	if value != "" {
		p.path(path, value)
	}
}

func (p *problems) path(path, value string) {
	u, err := url.Parse(value)
	if err != nil || !strings.HasPrefix(value, "/") || strings.HasPrefix(value, "//") || strings.ContainsAny(value, "?#\\") ||
		slices.Contains(strings.Split(u.Path, "/"), "..") || strings.ContainsFunc(value, unicode.IsSpace) {
		p.add(path, "formato", "Escreva o caminho depois do endereço, começando por /, como /api/v2/unidades.")
	}
}

// address refuses what no service answers at, and a local network that was not
// allowed where it can be told without asking for the name.
func (p *problems) address(s Settings) {
	u, err := url.Parse(s.BaseURL)
	switch {
	case utf8.RuneCountInString(s.BaseURL) > maxAddress: // is said already
	case s.BaseURL == "":
		p.add(FieldBaseURL, "obrigatorio", "Escreva o endereço do serviço.")
	case err != nil || !slices.Contains([]string{"http", "https"}, u.Scheme) || !goodHost(u) || u.User != nil ||
		u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		p.add(FieldBaseURL, "formato", "Escreva um endereço como https://servico.exemplo.com.br, sem usuário, senha ou “?”.")
	case s.InternalHost != "":
	case literalInternal(s.Host()):
		p.add(FieldBaseURL, "dominio", "Este endereço é da rede interna. Permita o endereço interno, se é o certo.")
	case u.Scheme == "http":
		p.add(FieldBaseURL, "dominio", "Use https: sem ele, qualquer um no caminho lê os dados. Só um endereço interno permitido pode usar http.")
	}
}

// goodHost refuses hosts that look like numbers and are no plain IP address:
// 2130706433 and 0x7f.1 mean 127.0.0.1 to some resolvers.
func goodHost(u *url.URL) bool {
	host := strings.TrimSuffix(u.Hostname(), ".")
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	last := host[strings.LastIndex(host, ".")+1:]
	return len(host) <= maxHost && last != "" && (last[0] < '0' || last[0] > '9') && !strings.ContainsFunc(host, unicode.IsSpace)
}

func literalInternal(host string) bool {
	host = strings.TrimSuffix(host, ".")
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return host == "localhost" || strings.HasSuffix(host, ".localhost")
	}
	return Internal(addr)
}
