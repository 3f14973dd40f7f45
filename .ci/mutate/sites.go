package main

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// sites returns every place where an operator can make a mistake, file by file
// from top to bottom.
func (p *pkg) sites() []site {
	var all []site
	for _, s := range p.sources {
		if !s.hand {
			continue
		}
		w := &walker{pkg: p, source: s}
		ast.PreorderStack(s.file, nil, w.visit)
		all = append(all, w.sites...)
	}
	return all
}

// walker gathers the sites of one file.
type walker struct {
	*pkg
	source *source
	sites  []site
}

// visit collects what can be changed at a node and tells whether to go on below it.
func (w *walker) visit(n ast.Node, stack []ast.Node) bool {
	switch n := n.(type) {
	case *ast.ImportSpec, *ast.ArrayType:
		return false
	case *ast.CallExpr:
		if w.logs(n) || w.builtin(n, "panic") {
			return false
		}
	case *ast.FuncDecl:
		if n.Name.Name == "Error" && n.Recv != nil {
			return false // the text of an error
		}
	}
	for _, o := range operators {
		if ways := o.ways(w, n, stack); len(ways) > 0 {
			at := w.fset.Position(o.at(n))
			w.sites = append(w.sites, site{
				source: w.source, operator: o.name, function: functionName(stack),
				line: at.Line, column: at.Column, ways: ways,
			})
		}
	}
	return true
}

// offset returns where pos is in the file.
func (w *walker) offset(pos token.Pos) int { return w.fset.Position(pos).Offset }

// code returns the text of a node.
func (w *walker) code(n ast.Node) string {
	return string(w.source.text[w.offset(n.Pos()):w.offset(n.End())])
}

// replace is the edit that puts text in the place of a node.
func (w *walker) replace(n ast.Node, text string) edit {
	return edit{w.offset(n.Pos()), w.offset(n.End()), text}
}

// token is the edit that puts another operator where one stands.
func (w *walker) token(pos token.Pos, was, now token.Token) edit {
	return edit{w.offset(pos), w.offset(pos) + len(was.String()), now.String()}
}

// callee returns the function or method that a call names.
func (w *walker) callee(call *ast.CallExpr) types.Object {
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		return w.info.Uses[f]
	case *ast.SelectorExpr:
		return w.info.Uses[f.Sel]
	}
	return nil
}

// logs reports whether a call writes to a log.
func (w *walker) logs(call *ast.CallExpr) bool {
	f := w.callee(call)
	return f != nil && f.Pkg() != nil && (f.Pkg().Path() == "log/slog" || f.Pkg().Path() == "log")
}

// builtin tells a call of a built-in function, unless the package has given its name to
// something else.
func (w *walker) builtin(call *ast.CallExpr, name string) bool {
	f, ok := w.callee(call).(*types.Builtin)
	return ok && f.Name() == name
}

var errorType = types.Universe.Lookup("error").Type().Underlying().(*types.Interface)

// isError reports whether a value of type t is an error.
func isError(t types.Type) bool {
	if _, several := t.(*types.Tuple); several || t == nil {
		return false
	}
	return types.Implements(t, errorType) || types.Implements(types.NewPointer(t), errorType)
}

// inError reports whether the node on top of the stack is part of the text of
// an error: an argument of what makes one, or a field of one.
func (w *walker) inError(stack []ast.Node) bool {
	for i := len(stack) - 1; i >= 0; i-- {
		switch n := stack[i].(type) {
		case *ast.CallExpr:
			return isError(w.info.TypeOf(n))
		case *ast.CompositeLit:
			if isError(w.info.TypeOf(n)) {
				return true
			}
		case ast.Stmt, *ast.FuncLit:
			return false
		}
	}
	return false
}

// isDuration reports whether an expression is a length of time; those in the
// code are chosen, and one more or less is no mistake.
func (w *walker) isDuration(e ast.Expr) bool {
	t := w.info.TypeOf(e)
	return t != nil && types.TypeString(t, nil) == "time.Duration"
}

// isConstant reports whether an expression has the value v wherever it runs.
func (w *walker) isConstant(e ast.Expr, v constant.Value) bool {
	got := w.info.Types[e].Value
	return got != nil && got.Kind() == v.Kind() && constant.Compare(got, token.EQL, v)
}

// parent is the node around the present one, nil at the top.
func parent(stack []ast.Node) ast.Node {
	if len(stack) == 0 {
		return nil
	}
	return stack[len(stack)-1]
}

// functionName is the function that a node stands in, for the report.
func functionName(stack []ast.Node) string {
	for _, n := range stack {
		if f, ok := n.(*ast.FuncDecl); ok {
			return f.Name.Name
		}
	}
	return ""
}

// function returns the type of the innermost function around a node.
func (w *walker) function(stack []ast.Node) *types.Signature {
	for i := len(stack) - 1; i >= 0; i-- {
		switch f := stack[i].(type) {
		case *ast.FuncLit:
			return w.info.TypeOf(f).(*types.Signature)
		case *ast.FuncDecl:
			return w.info.Defs[f.Name].Type().(*types.Signature)
		}
	}
	return nil
}
