package page

import (
	"strconv"
	"strings"
	"unicode"

	"guiche/web/component"

	"golang.org/x/text/unicode/norm"
)

// credentialText is the text of the search field.
func (m FormView) credentialText() string {
	if m.Credential.Search != "" {
		return m.Credential.Search
	}
	return m.Credential.Name
}

// mainNames are the fields that a person fills for every request, in their order.
var mainNames = []string{
	"nomeBeneficiario", "numeroCarteira", "nomeSolicitante", "crmSolicitante", "ufSolicitante", "profissionalExecutanteId",
	"especialidadeExecutanteId", "unidadeId", "pontoAtendimentoId",
}

// focus names the field that the page opens in: the search while no credential is
// chosen, the first procedure of what is repeated, the first
// field of what is corrected, there the first one that was objected to, or what is still empty. An error summary,
// a review and the result of a search have the focus themselves.
func (m FormView) focus() string {
	firstCode := procedureName(0, "codigoProcedimento")
	switch {
	case m.AtFiles:
		return "arquivo"
	case m.Phone.Focused:
		return "" // the panel has it
	case m.Objected && m.Review == nil:
		return m.objectedField()
	case len(m.Problems) > 0, m.Review != nil, m.Credential.Found != nil && len(m.Credential.Found.Items) > 0,
		m.WhoFound != nil && !m.WhoFound.empty(), m.firstFound() >= 0:
		return ""
	case m.Values["credencialId"] == "":
		return "Quem"
	case m.Repeats:
		return firstCode
	case m.Origin.Href != "":
		return mainNames[0]
	}
	for _, name := range mainNames {
		if m.Values[name] == "" {
			return name
		}
	}
	return firstCode
}

// objectedField is the first field that something was objected to, else the first of all. What
// the operator does not pay for at all is seldom corrected in its code.
func (m FormView) objectedField() string {
	for _, line := range m.summary() {
		if line.Name != "" && !strings.HasSuffix(line.Name, "].codigoProcedimento") {
			return line.Name
		}
	}
	return mainNames[0]
}

func (m FormView) field(f component.Field) component.Field {
	f = m.Fields.field(f)
	f.Focus = f.Name == m.focus()
	return f
}

func (l CredentialList) heading() string {
	switch {
	case l.Problem != "":
		return l.Problem
	case len(l.Items) == 0:
		return "Nenhuma credencial com “" + l.Search + "”"
	default:
		return "Credenciais encontradas"
	}
}

// more says how many were left out, where nothing is searched while one types.
func (l CredentialList) more() string {
	return "E mais " + strconv.Itoa(l.More) + ": escreva mais um pouco e busque de novo."
}

// left says how many were left out of a list that follows what one types.
func (l CredentialList) left() string {
	return "e mais " + strconv.Itoa(l.More) + "; escreva mais um pouco"
}

// part is a stretch of a text, found or not.
type part struct {
	text string
	hit  bool
}

// longestMarked is how many bytes of a search are looked for in each of the texts that it found. Nobody types more, and
// to look for megabytes in each takes seconds.
const longestMarked = 1 << 10

// highlight splits a text around the first place where the search is found, case
// and accents ignored.
func highlight(text, search string) []part {
	if len(search) > longestMarked {
		return []part{{text: text}}
	}
	folded, starts := fold(text)
	wanted, _ := fold(strings.TrimSpace(search))
	at := strings.Index(folded, wanted)
	if wanted == "" || at < 0 {
		return []part{{text: text}}
	}
	from, to := starts[at], starts[at+len(wanted)]
	var parts []part
	for _, p := range []part{{text[:from], false}, {text[from:to], true}, {text[to:], false}} {
		if p.text != "" {
			parts = append(parts, p)
		}
	}
	return parts
}

// fold returns the text in lower case without accents, and for each of its bytes
// (and its end) the position in the text.
func fold(text string) (folded string, starts []int) {
	var b strings.Builder
	for at, r := range text {
		for _, d := range norm.NFD.String(string(r)) {
			if unicode.Is(unicode.Mn, d) {
				continue
			}
			before := b.Len()
			b.WriteRune(unicode.ToLower(d))
			for range b.Len() - before {
				starts = append(starts, at)
			}
		}
	}
	return b.String(), append(starts, len(text))
}
