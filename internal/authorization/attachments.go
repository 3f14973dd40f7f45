package authorization

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// attachmentProblems names the procedures that need an attachment when a request
// has none.
func (r Request) attachmentProblems(p *problems, rules Rules) {
	if len(r.Attachments) > 0 {
		return
	}
	var codes []string
	for _, proc := range r.Procedures[:min(len(r.Procedures), MaxProcedures)] {
		code := strings.TrimSpace(proc.Code)
		if shown := shortCode(code); needsAttachment(rules.AttachmentsFor, code) && !slices.Contains(codes, shown) {
			codes = append(codes, shown)
		}
	}
	switch last := len(codes) - 1; {
	case last == 0:
		p.add("anexos", CodeRequired, "O procedimento "+codes[0]+" exige anexo nesta credencial.")
	case last > 0:
		p.add("anexos", CodeRequired,
			"Os procedimentos "+strings.Join(codes[:last], ", ")+" e "+codes[last]+" exigem anexo nesta credencial.")
	}
}

func needsAttachment(patterns []string, code string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		if beginning, ok := strings.CutSuffix(pattern, "*"); ok {
			return strings.HasPrefix(code, beginning)
		}
		return pattern == code
	})
}

// shortCode shortens a code for a message: codes may have any length.
func shortCode(code string) string {
	const most = 20
	if utf8.RuneCountInString(code) <= most {
		return code
	}
	return string([]rune(code)[:most]) + "…"
}
