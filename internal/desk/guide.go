package desk

import (
	"cmp"
	"context"
	"fmt"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/blob"
	"guiche/internal/permission"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// Guide is one PDF of an answer.
type Guide struct {
	Kind   GuideKind
	Number int    // numeroAutorizacao of a single guide, its place where there is none; else 0
	Guide  string // numeroGuia of a single guide, else ""
	Blob   blob.Ref
}

// GuideKind says what a PDF of an answer is.
type GuideKind string

// The kinds of PDFs.
const (
	GuideAll     GuideKind = "todas"  // pdfGuia: all guides in one file
	GuideSingle  GuideKind = "guia"   // pdfGuiaAutorizacao
	GuideReceipt GuideKind = "recibo" // pdfRecibo of some services (interface.md, row 6)
)

// Guides lists the PDFs of the answer in force, the aggregated one first; OpenGuide takes
// a place in this list.
func (c Case) Guides() []Guide {
	if c.Answer == nil {
		return nil
	}
	return guidesOf(*c.Answer)
}

// Guides lists the PDFs of an answer, as Case.Guides does.
func (p PastAnswer) Guides() []Guide { return guidesOf(p.Answer) }

func guidesOf(answer authorization.Answer) []Guide {
	var guides []Guide
	if answer.GuidePDF != "" {
		guides = append(guides, Guide{Kind: GuideAll, Blob: answer.GuidePDF})
	}
	for i, a := range answer.Authorizations {
		if a.GuidePDF != "" {
			guides = append(guides, Guide{Kind: GuideSingle, Number: cmp.Or(a.Number, i+1), Guide: a.GuideNumber, Blob: a.GuidePDF})
		}
	}
	if answer.ReceiptPDF != "" {
		guides = append(guides, Guide{Kind: GuideReceipt, Blob: answer.ReceiptPDF})
	}
	return guides
}

// OnScreen returns the place in Guides of the PDF that the page of the case shows: that
// which was asked for, or else the first; -1 without any.
func (c Case) OnScreen(asked int) int {
	switch all := len(c.Guides()); {
	case all == 0:
		return -1
	case asked < 0 || asked >= all:
		return 0
	}
	return asked
}

// guideWord names the PDF at a place of a list for the audit trail: the single guides
// by their order, for their numbers say more than the trail may hold.
func guideWord(guides []Guide, index int) string {
	switch guides[index].Kind {
	case GuideAll:
		return "guia=todas"
	case GuideReceipt:
		return "guia=recibo"
	}
	if guides[0].Kind != GuideAll {
		index++
	}
	return fmt.Sprintf("guia=%d", index)
}

// OpenGuide opens a PDF of the answer by its place in Case.Guides; the audit trail says
// for what.
func (d *Desk) OpenGuide(ctx context.Context, a permission.Actor, uid uuid.UUID, index int, use FileUse) (File, error) {
	c, err := d.reachable(ctx, a, uid)
	if err != nil {
		return File{}, err
	}
	guides := c.Guides()
	if index < 0 || index >= len(guides) {
		return File{}, noGuide()
	}
	return d.openGuide(ctx, c, guides[index], d.lookEntry(a, c, index), use)
}

// OpenPastGuide opens a PDF of one of Case.Answers, counted from 1, by its place in
// PastAnswer.Guides.
func (d *Desk) OpenPastGuide(ctx context.Context, a permission.Actor, uid uuid.UUID, answer, index int, use FileUse) (File, error) {
	c, err := d.reachable(ctx, a, uid)
	if err != nil {
		return File{}, err
	}
	if answer < 1 || answer > len(c.Answers) {
		return File{}, noGuide()
	}
	guides := c.Answers[answer-1].Guides()
	if index < 0 || index >= len(guides) {
		return File{}, noGuide()
	}
	entry := d.lookEntry(a, c, -1)
	entry.Detail = fmt.Sprintf("%s resposta=%d", guideWord(guides, index), answer)
	return d.openGuide(ctx, c, guides[index], entry, use)
}

func noGuide() error { return problem.New(problem.NotFound, "Guia não encontrada.") }

func (d *Desk) openGuide(ctx context.Context, c Case, g Guide, look audit.Entry, use FileUse) (File, error) {
	file, err := d.open(ctx, c.UID, g.Blob, g.fileName(c.ProviderGuide), "application/pdf")
	if err != nil {
		return File{}, err
	}
	return d.handOut(ctx, file, use, func(use FileUse) audit.Entry {
		entry := look
		if use != FileOnScreen {
			entry.Event, entry.Detail = audit.GuideOpened, entry.Detail+" modo="+string(use)
		}
		return entry
	})
}

func (g Guide) fileName(providerGuide string) string {
	switch g.Kind {
	case GuideAll:
		return "guias-" + providerGuide + ".pdf"
	case GuideReceipt:
		return "recibo-" + providerGuide + ".pdf"
	default:
		return fmt.Sprintf("guia-%s-%d.pdf", providerGuide, g.Number)
	}
}
