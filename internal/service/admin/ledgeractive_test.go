package admin_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"net/http"
	"testing"

	"guiche/internal/service/admin"
)

// pdfWith is a PDF of one page whose catalogue has those entries too.
func pdfWith(catalogue string) string {
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n")
	table := "xref\n0 4\n0000000000 65535 f \n"
	for i, object := range []string{"<</Type/Catalog/Pages 2 0 R" + catalogue + ">>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
		"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>"} {
		table += fmt.Sprintf("%010d 00000 n \n", b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	start := b.Len()
	fmt.Fprintf(&b, "%strailer\n<</Size 4/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", table, start)
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// TestAdmin_LedgerEntry_Active: the ledger says how many attachments of a request do more than
// show pages.
func TestAdmin_LedgerEntry_Active(t *testing.T) {
	e := MustEnv(t, limits{})
	harmless, active := pdfWith(""), pdfWith("/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>")
	for want, contents := range [][]string{{harmless}, {active, harmless}, {active, harmless, active}} {
		var attachments []any
		for i, content := range contents {
			attachments = append(attachments, map[string]any{"base64": content, "name": fmt.Sprintf("laudo %d.pdf", i),
				"contentType": "application/pdf"})
		}
		answer := e.Post(body(map[string]any{"anexos": attachments}), nil)
		if answer.Status != http.StatusOK {
			t.Fatalf("got %d: %s", answer.Status, answer.Text)
		}
		rows := e.mustLedger(admin.LedgerQuery{Number: answer.Entry()["guiaId"].(string)})
		row, _, err := e.Admin.LedgerEntry(t.Context(), rows[0].ID)
		e.Must(err)
		if row.Attachments != len(contents) || row.Active != want {
			t.Errorf("got %d active of %d attachments, want %d of %d", row.Active, row.Attachments, want, len(contents))
		}
	}
}
