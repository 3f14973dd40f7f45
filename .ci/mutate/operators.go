package main

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

// operator is one kind of mistake.
type operator struct {
	name string
	ways func(w *walker, n ast.Node, stack []ast.Node) []edit
}

// operators are the kinds of mistakes that are drawn.
var operators = []operator{
	{"comparison", (*walker).comparison},
	{"logic", (*walker).logic},
	{"condition", (*walker).condition},
	{"arithmetic", (*walker).arithmetic},
	{"number", (*walker).number},
	{"boolean", (*walker).boolean},
	{"text", (*walker).text},
	{"error", (*walker).errorResult},
	{"result", (*walker).result},
	{"call", (*walker).call},
	{"assignment", (*walker).assignment},
	{"branch", (*walker).branch},
	{"case", (*walker).caseClause},
	{"slice", (*walker).slice},
}

// at returns where a mistake of this kind stands in the node.
func (o operator) at(n ast.Node) token.Pos {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		return n.OpPos
	case *ast.IfStmt:
		if o.name == "condition" {
			return n.Cond.Pos()
		}
		return n.Body.Pos()
	case *ast.ForStmt:
		return n.Cond.Pos()
	}
	return n.Pos()
}

var opposite = map[token.Token][]token.Token{
	token.EQL: {token.NEQ}, token.NEQ: {token.EQL},
	token.LSS: {token.LEQ, token.GEQ}, token.LEQ: {token.LSS, token.GTR},
	token.GTR: {token.GEQ, token.LEQ}, token.GEQ: {token.GTR, token.LSS},
	token.LAND: {token.LOR}, token.LOR: {token.LAND},
	token.ADD: {token.SUB}, token.SUB: {token.ADD}, token.MUL: {token.QUO}, token.QUO: {token.MUL}, token.REM: {token.MUL},
	token.ADD_ASSIGN: {token.SUB_ASSIGN}, token.SUB_ASSIGN: {token.ADD_ASSIGN},
	token.MUL_ASSIGN: {token.QUO_ASSIGN}, token.QUO_ASSIGN: {token.MUL_ASSIGN},
	token.INC: {token.DEC}, token.DEC: {token.INC},
}

// swap replaces an operator by each of its opposites.
func (w *walker) swap(pos token.Pos, was token.Token) []edit {
	var ways []edit
	for _, now := range opposite[was] {
		ways = append(ways, w.token(pos, was, now))
	}
	return ways
}

// comparison confuses == with !=, and < with <= or >=.
func (w *walker) comparison(n ast.Node, stack []ast.Node) []edit {
	b, ok := n.(*ast.BinaryExpr)
	if !ok || !isComparison(b.Op) {
		return nil
	}
	ways := w.swap(b.OpPos, b.Op)
	if len(ways) == 2 && w.clamps(b, parent(stack)) {
		return ways[1:]
	}
	return ways
}

// isComparison tells the operators that yield a truth.
func isComparison(op token.Token) bool {
	switch op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return true
	}
	return false
}

// clamps reports whether a comparison only keeps the greater or smaller of two
// values, so that it does not matter what it says of equal ones.
func (w *walker) clamps(b *ast.BinaryExpr, around ast.Node) bool {
	s, ok := around.(*ast.IfStmt)
	if !ok || len(s.Body.List) != 1 {
		return false
	}
	a, ok := s.Body.List[0].(*ast.AssignStmt)
	if !ok || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
		return false
	}
	to, from, x, y := w.code(a.Lhs[0]), w.code(a.Rhs[0]), w.code(b.X), w.code(b.Y)
	return to == x && from == y || to == y && from == x
}

// logic confuses && with ||.
func (w *walker) logic(n ast.Node, _ []ast.Node) []edit {
	if b, ok := n.(*ast.BinaryExpr); ok && (b.Op == token.LAND || b.Op == token.LOR) {
		return w.swap(b.OpPos, b.Op)
	}
	return nil
}

// condition asks for the opposite.
func (w *walker) condition(n ast.Node, _ []ast.Node) []edit {
	var cond ast.Expr
	switch n := n.(type) {
	case *ast.IfStmt:
		cond = n.Cond
	case *ast.ForStmt:
		cond = n.Cond
	}
	switch c := cond.(type) {
	case nil:
		return nil
	case *ast.UnaryExpr:
		if c.Op == token.NOT {
			return []edit{w.replace(c, w.code(c.X))}
		}
	case *ast.BinaryExpr:
		if isComparison(c.Op) {
			return nil // a comparison's own mistake
		}
	}
	return []edit{w.replace(cond, "!("+w.code(cond)+")")}
}

// arithmetic confuses + with -, * with / and ++ with --.
func (w *walker) arithmetic(n ast.Node, _ []ast.Node) []edit {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		chosen := w.isDuration(n) && w.info.Types[n].Value != nil
		if w.isNumber(n) && !chosen && !isComparison(n.Op) {
			return w.swap(n.OpPos, n.Op)
		}
	case *ast.AssignStmt:
		if len(n.Lhs) == 1 && w.isNumber(n.Lhs[0]) {
			return w.swap(n.TokPos, n.Tok)
		}
	case *ast.IncDecStmt:
		return w.swap(n.TokPos, n.Tok)
	}
	return nil
}

// isNumber asks the types: + joins texts, too, and has no opposite there.
func (w *walker) isNumber(e ast.Expr) bool {
	t := w.info.TypeOf(e)
	if t == nil {
		return false
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsNumeric != 0
}

// number is off by one.
func (w *walker) number(n ast.Node, stack []ast.Node) []edit {
	lit, ok := n.(*ast.BasicLit)
	if !ok || lit.Kind != token.INT || w.isDuration(lit) || w.isCapacity(lit, stack) {
		return nil
	}
	v, err := strconv.ParseInt(lit.Value, 0, 64)
	if err != nil {
		return nil
	}
	ways := []edit{w.replace(lit, strconv.FormatInt(v+1, 10))}
	if v > 0 {
		ways = append(ways, w.replace(lit, strconv.FormatInt(v-1, 10)))
	}
	return ways
}

// isCapacity reports whether a number is only the room that make or a buffered
// reader or writer takes in advance, or part of a length of time.
func (w *walker) isCapacity(lit ast.Expr, stack []ast.Node) bool {
	var inner ast.Node = lit
	for i := len(stack) - 1; i >= 0; i-- {
		switch n := stack[i].(type) {
		case *ast.BinaryExpr:
			if w.isDuration(n) {
				return true
			}
		case *ast.CallExpr:
			return w.isRoom(n, inner)
		case ast.Stmt:
			return false
		}
		inner = stack[i]
	}
	return false
}

// isRoom tells a size that only reserves memory: changing it changes nothing that a test
// could see.
func (w *walker) isRoom(call *ast.CallExpr, arg ast.Node) bool {
	if w.builtin(call, "make") {
		_, slice := w.info.TypeOf(call.Args[0]).Underlying().(*types.Slice)
		return !slice || len(call.Args) == 3 && arg == call.Args[2]
	}
	f := w.callee(call)
	return f != nil && (f.Name() == "Grow" || f.Pkg() != nil && f.Pkg().Path() == "bufio")
}

// boolean confuses true with false.
func (w *walker) boolean(n ast.Node, _ []ast.Node) []edit {
	id, ok := n.(*ast.Ident)
	if !ok || w.info.Uses[id] == nil || w.info.Uses[id].Pkg() != nil {
		return nil
	}
	switch id.Name {
	case "true":
		return []edit{w.replace(id, "false")}
	case "false":
		return []edit{w.replace(id, "true")}
	}
	return nil
}

// text forgets what a string says.
func (w *walker) text(n ast.Node, stack []ast.Node) []edit {
	lit, ok := n.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING || w.isConstant(lit, constant.MakeString("")) || w.inError(stack) || isSentence(lit) {
		return nil
	}
	if f, ok := parent(stack).(*ast.Field); ok && f.Tag == lit {
		return nil
	}
	return []edit{w.replace(lit, `""`)}
}

// isSentence reports whether a string is a sentence for a person; no test has to
// hold its words.
func isSentence(lit *ast.BasicLit) bool {
	text := strings.Trim(lit.Value, "\"` ")
	return strings.Contains(text, " ") && strings.ContainsAny(text[len(text)-1:], ".!?")
}

// call forgets to call something.
func (w *walker) call(n ast.Node, _ []ast.Node) []edit {
	s, ok := n.(*ast.ExprStmt)
	if !ok {
		return nil
	}
	c, ok := s.X.(*ast.CallExpr)
	if !ok || w.logs(c) || w.builtin(c, "panic") {
		return nil
	}
	return []edit{w.replace(s, "")}
}

// assignment forgets to set something.
func (w *walker) assignment(n ast.Node, stack []ast.Node) []edit {
	switch s := n.(type) {
	case *ast.AssignStmt:
		switch parent(stack).(type) {
		case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
			if s.Tok != token.DEFINE && !w.isLogger(s.Rhs[0]) {
				return []edit{w.replace(s, "")}
			}
		}
	case *ast.IncDecStmt:
		if _, ok := parent(stack).(*ast.BlockStmt); ok {
			return []edit{w.replace(s, "")}
		}
	}
	return nil
}

// isLogger tells log messages apart: what is logged is not held by tests.
func (w *walker) isLogger(e ast.Expr) bool {
	t := w.info.TypeOf(e)
	return t != nil && types.TypeString(t, nil) == "*log/slog.Logger"
}

// branch forgets what is to be done under a condition, or otherwise.
func (w *walker) branch(n ast.Node, _ []ast.Node) []edit {
	s, ok := n.(*ast.IfStmt)
	if !ok {
		return nil
	}
	var ways []edit
	if len(s.Body.List) > 0 && !w.onlyLogs(s.Body.List) {
		ways = append(ways, w.replace(s.Body, "{}"))
	}
	if s.Else != nil {
		ways = append(ways, edit{w.offset(s.Body.End()), w.offset(s.Else.End()), ""})
	}
	return ways
}

// onlyLogs tells whether a block does nothing but log.
func (w *walker) onlyLogs(list []ast.Stmt) bool {
	for _, s := range list {
		e, ok := s.(*ast.ExprStmt)
		if !ok {
			return false
		}
		if c, ok := e.X.(*ast.CallExpr); !ok || !w.logs(c) {
			return false
		}
	}
	return true
}

// caseClause forgets a case of a switch.
func (w *walker) caseClause(n ast.Node, _ []ast.Node) []edit {
	c, ok := n.(*ast.CaseClause)
	if !ok || len(c.Body) == 0 && c.List == nil || w.onlyLogs(c.Body) && len(c.Body) > 0 {
		return nil
	}
	return []edit{w.replace(c, "")}
}

// slice takes one more or one less, or all.
func (w *walker) slice(n ast.Node, _ []ast.Node) []edit {
	s, ok := n.(*ast.SliceExpr)
	if !ok || s.Slice3 {
		return nil
	}
	var ways []edit
	if s.Low != nil && !w.isConstant(s.Low, constant.MakeInt64(0)) {
		ways = append(ways, w.replace(s.Low, ""), w.replace(s.Low, w.code(s.Low)+"+1"))
	}
	if s.High != nil {
		ways = append(ways, w.replace(s.High, ""), w.replace(s.High, w.code(s.High)+"-1"))
	}
	return ways
}
