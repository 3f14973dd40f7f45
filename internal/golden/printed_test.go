package golden_test

import (
	"bytes"
	"compress/zlib"
	"encoding/json"
	"io"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
)

// printedFacts are the status that the service found out just now, and what stands in
// the fields of the guide that it drew from a stored request.
func printedFacts(t *testing.T, a answer) (all []fact) {
	t.Helper()
	var answered struct {
		Data struct {
			Autorizacoes []struct {
				SituacaoAutorizacao string
				PDFGuiaAutorizacao  []byte
				Procedimentos       []struct{ CodigoProcedimento, NomeProcedimento string }
			}
		}
	}
	must(t, json.Unmarshal(a.body, &answered))
	for _, authorization := range answered.Data.Autorizacoes {
		all = append(all, fact{"situação", authorization.SituacaoAutorizacao})
		for _, p := range authorization.Procedimentos {
			all = append(all, fact{"procedimento", p.CodigoProcedimento + " " + p.NomeProcedimento})
		}
		drawn := drawnTexts(t, authorization.PDFGuiaAutorizacao)
		for i := range max(0, len(drawn)-1) {
			if label := requestField.FindString(drawn[i]); label != "" {
				all = append(all, fact{"campo " + label, drawn[i+1]})
			}
		}
	}
	return all
}

// requestField is how the names of the fields begin, on the form of the ANS, that tell
// what was asked for.
var requestField = regexp.MustCompile(`^(2|8|9|10|12|15|16|17|18|21|23|32|33|58) -`)

var (
	contentStream = regexp.MustCompile(`(?s)/FlateDecode /Length \d+>>\s*stream\r?\n(.*?)\r?\nendstream`)
	shownText     = regexp.MustCompile(`\(((?:[^()\\]|\\.)*)\) ?Tj`)
)

// drawnTexts are the texts that a page of a PDF shows, in their order.
func drawnTexts(t *testing.T, pdf []byte) (all []string) {
	t.Helper()
	for _, stream := range contentStream.FindAllSubmatch(pdf, -1) {
		r, err := zlib.NewReader(bytes.NewReader(stream[1]))
		must(t, err)
		content, err := io.ReadAll(charmap.Windows1252.NewDecoder().Reader(r))
		must(t, err)
		for _, text := range shownText.FindAllSubmatch(content, -1) {
			all = append(all, strings.NewReplacer(`\(`, "(", `\)`, ")", `\\`, `\`).Replace(string(text[1])))
		}
	}
	return all
}
