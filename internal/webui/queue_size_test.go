package webui_test

import (
	"testing"

	"guiche/internal/apptest"
)

// TestQueue_Size: the queue with two hundred rows, as of all senhas that end soon, comes in few bytes.
func TestQueue_Size(t *testing.T) {
	t.Parallel()
	const rows, most = 200, 60_000
	server := apptest.Start(t, apptest.Options{})
	ana := server.LogIn(t, apptest.Reception)
	server.AddCases(t, rows*5/4)
	server.ExecRows(t, `UPDATE submission_state SET checksum = NULL,
		password_until = strftime('%Y-%m-%dT00:00:00', 'now', '+' || (2 + submission_id % 4) || ' day') WHERE status = 'A'`)
	ana.Header.Set("Accept-Encoding", "gzip, deflate, br, zstd")
	page := ana.Get("/fila?senhas=vencendo")
	got := len(page.Body)
	page.Body = unpack(t, page.Body)
	if n := page.Count("#fila tbody tr"); n != rows || got > most {
		t.Errorf("got %d rows in %d bytes, want %d in at most %d", n, got, rows, most)
	}
	t.Logf("%d bytes", got)
}
