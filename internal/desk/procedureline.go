package desk

import "guiche/internal/authorization"

// ProcedureLine is a procedure asked for beside what the operator said about it.
type ProcedureLine struct {
	Code, Name    string
	Asked         int
	Authorized    int
	Executed      int
	Known         bool // the operator spoke of it
	Justification string
	Senha         string
	Protocol      string
	Mnemonic      string
}

// Lines puts what was asked beside what was answered, in the order of the
// request; what the operator added by itself follows.
func (c Case) Lines() []ProcedureLine {
	lines := make([]ProcedureLine, 0, len(c.Request.Procedures))
	for _, p := range c.Request.Procedures {
		lines = append(lines, ProcedureLine{Code: p.Code, Name: p.Name, Asked: p.Quantity})
	}
	if c.Answer == nil {
		return lines
	}
	for _, authorized := range c.Answer.Authorizations {
		for _, result := range authorized.Procedures {
			lines = answerLine(lines, result)
		}
	}
	return lines
}

// answerLine finds the line that a result is about: the first with its code that
// has no answer yet.
func answerLine(lines []ProcedureLine, r authorization.ProcedureResult) []ProcedureLine {
	at := len(lines)
	for i, l := range lines {
		if l.Code == r.Code && !l.Known {
			at = i
			break
		}
	}
	if at == len(lines) {
		lines = append(lines, ProcedureLine{Code: r.Code, Name: r.Name})
	}
	l := &lines[at]
	l.Known, l.Authorized, l.Executed = true, r.Authorized, r.Executed
	l.Justification, l.Senha, l.Protocol, l.Mnemonic = r.Justification, r.Senha, r.Protocol, r.Mnemonic
	return lines
}
