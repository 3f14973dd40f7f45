package webui

import (
	"context"
	"slices"
	"strings"

	"guiche/internal/blob"
	"guiche/internal/desk"
	"guiche/internal/document"
	"guiche/web/page"
)

// activeWords say what a PDF does, in the order of their harm.
var activeWords = []struct {
	what  document.Active
	words string
}{
	{document.Launches, "abre programas ou outros arquivos"},
	{document.Scripts, "executa comandos (JavaScript)"},
	{document.Embeds, "traz outros arquivos dentro"},
	{document.XFA, "é um formulário programado (XFA)"},
	{document.Submits, "envia ou busca dados na internet"},
	{document.Media, "traz conteúdo multimídia"},
}

// does is what a PDF does in words, "" for nothing.
func does(a document.Active) string {
	var words []string
	for _, w := range activeWords {
		if a.Has(w.what) {
			words = append(words, w.words)
		}
	}
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " e " + words[last]
}

// pdfWarning says what somebody else's PDF does and what of it is shown.
func pdfWarning(found document.Inspection) page.FileWarning {
	switch acts := does(found.Active); {
	case found.Harmless():
		return page.FileWarning{}
	case !found.Unreadable:
		return page.FileWarning{Text: "Este PDF " + acts + ". Aqui aparece uma cópia que só mostra as páginas. " +
			"Baixe o original só se confiar em quem o enviou."}
	case acts != "":
		return page.FileWarning{Hidden: true, Text: "Este PDF " + acts + " e não pode ser mostrado aqui com segurança. " +
			"Baixe-o só se confiar em quem o enviou."}
	}
	return page.FileWarning{Hidden: true, Text: "Este PDF está protegido por senha, danificado ou não pôde ser examinado por inteiro, " +
		"e por isso não é mostrado aqui. Baixe-o só se confiar em quem o enviou."}
}

// attachedWarning says it of a file that was sent with a request.
func (s *deskHandlers) attachedWarning(ctx context.Context, a desk.Attachment) page.FileWarning {
	if a.ContentType != document.PDF.ContentType() {
		return page.FileWarning{}
	}
	return pdfWarning(s.Desk.Inspect(ctx, a.Blob))
}

// draftWarning says it of a file that is still to be sent, as it is.
func (s *deskHandlers) draftWarning(ctx context.Context, a desk.Attachment) page.FileWarning {
	warning := s.attachedWarning(ctx, a)
	if warning.Text == "" {
		return warning
	}
	found := s.Desk.Inspect(ctx, a.Blob)
	if warning.Text = "Este PDF " + does(found.Active) + "."; found.Active == 0 {
		warning.Text = "Este PDF não pôde ser examinado por inteiro."
	}
	if warning.Text += " Segue assim para a operadora."; !warning.Hidden {
		warning.Text += " Aqui se abre uma cópia que só mostra as páginas."
	}
	return warning
}

// unlessDamaged says that a file is damaged here, or else what its warning says.
func unlessDamaged(ref blob.Ref, damaged []blob.Ref, warning func() page.FileWarning) page.FileWarning {
	if slices.Contains(damaged, ref) {
		return page.FileWarning{Hidden: true, Lost: true, Text: "Este arquivo está danificado no Guichê e não é mostrado. " +
			"A administração foi avisada e pode trazê-lo de uma cópia de segurança."}
	}
	return warning()
}
