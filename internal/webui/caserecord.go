package webui

import (
	"fmt"
	"time"

	"guiche/internal/desk"
	"guiche/web/component"
	"guiche/web/page"
)

// recordView is what became of the latest requests for the procedure of a case, nil where there
// are too few to tell.
func recordView(r desk.Record) *page.RecordView {
	if r.Requests == 0 {
		return nil
	}
	view := &page.RecordView{Code: r.Code, Requests: fmt.Sprintf("%d últimos pedidos", r.Requests)}
	at := 0
	for _, part := range []struct {
		n         int
		one, many string
		tone      component.Tone
	}{
		{r.Authorized, "autorizado", "autorizados", component.ToneSuccess}, {r.Waiting, "em análise", "em análise", component.ToneWaiting},
		{r.Returned, "devolvido", "devolvidos", component.ToneAttention}, {r.Denied, "negado", "negados", component.ToneError},
		{r.Cancelled, "cancelado", "cancelados", component.ToneNeutral},
		{r.Other, "em outra situação", "em outra situação", component.ToneNeutral},
	} {
		if part.n == 0 {
			continue
		}
		width := part.n * page.RecordWidth / r.Requests
		view.Parts = append(view.Parts, page.RecordPart{At: at, Width: width, Tone: part.tone, Words: count(part.n, part.one, part.many)})
		at += width
	}
	if r.ReasonTimes > 1 {
		view.Reason, view.ReasonTimes = r.Reason, fmt.Sprintf("%d vezes", r.ReasonTimes)
	}
	if r.Median > 0 {
		view.Median = "Metade teve resposta em até " + lasting(r.Median) + "."
	}
	return view
}

// lasting is how long something took: "6 s", "12 min", "3 h", "2 dias".
func lasting(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", max(1, int(d.Seconds())))
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	}
	return fmt.Sprintf("%d dias", int(d.Hours())/24)
}
