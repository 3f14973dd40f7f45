package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
)

// errorResult returns no error where there was one.
func (w *walker) errorResult(n ast.Node, stack []ast.Node) []edit {
	s, ok := n.(*ast.ReturnStmt)
	if !ok || len(s.Results) == 0 {
		return nil
	}
	results := w.function(stack).Results()
	last := s.Results[len(s.Results)-1]
	if results.Len() != len(s.Results) || !isErrorInterface(results.At(results.Len()-1).Type()) || w.isZero(last) {
		return nil
	}
	return []edit{w.replace(last, "nil")}
}

// isErrorInterface tells a result of type error, which mutates to nil.
func isErrorInterface(t types.Type) bool {
	return types.Identical(t, types.Universe.Lookup("error").Type())
}

// result returns zero values in the place of the values other than an error,
// and the opposite of a truth.
func (w *walker) result(n ast.Node, stack []ast.Node) []edit {
	s, ok := n.(*ast.ReturnStmt)
	if !ok {
		return nil
	}
	results := w.function(stack).Results()
	if results.Len() != len(s.Results) {
		return nil
	}
	if len(s.Results) == 1 && isBool(results.At(0).Type()) {
		return w.opposites(s.Results[0])
	}
	values, changed := make([]string, len(s.Results)), false
	for i, e := range s.Results {
		t := results.At(i).Type()
		values[i] = w.code(e)
		if isErrorInterface(t) || w.isZero(e) {
			continue
		}
		zero, ok := w.zero(t)
		if !ok {
			return nil
		}
		values[i], changed = zero, true
	}
	if !changed {
		return nil
	}
	return []edit{w.replace(s, "return "+strings.Join(values, ", "))}
}

// isBool tells a result that mutates to its opposite.
func isBool(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// opposites are the two answers that a question has; a literal one is the
// business of another operator.
func (w *walker) opposites(e ast.Expr) []edit {
	if _, ok := e.(*ast.Ident); ok && w.info.Types[e].Value != nil {
		return nil
	}
	return []edit{w.replace(e, "true"), w.replace(e, "false")}
}

// isZero reports whether an expression is written as a zero value.
func (w *walker) isZero(e ast.Expr) bool {
	tv := w.info.Types[e]
	if tv.IsNil() {
		return true
	}
	if c, ok := e.(*ast.CompositeLit); ok {
		_, isStruct := tv.Type.Underlying().(*types.Struct)
		return isStruct && len(c.Elts) == 0
	}
	if tv.Value == nil {
		return false
	}
	switch tv.Value.Kind() {
	case constant.Bool:
		return !constant.BoolVal(tv.Value)
	case constant.String:
		return constant.StringVal(tv.Value) == ""
	default:
		return constant.Compare(tv.Value, token.EQL, constant.MakeInt64(0))
	}
}

// zero writes the zero value of a type; false where this file has no name for it.
func (w *walker) zero(t types.Type) (string, bool) {
	if p, ok := t.(*types.TypeParam); ok {
		return fmt.Sprintf("*new(%s)", p.Obj().Name()), true
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsString != 0:
			return `""`, true
		case u.Info()&types.IsNumeric != 0:
			return "0", true
		case u.Info()&types.IsBoolean != 0:
			return "false", true
		}
		return "", false
	case *types.Struct, *types.Array:
		name, ok := w.name(t)
		return name + "{}", ok
	default:
		return "nil", true
	}
}

// name writes a type with the names that this file imports packages under.
func (w *walker) name(t types.Type) (string, bool) {
	known := true
	text := types.TypeString(t, func(other *types.Package) string {
		if other.Path() == w.path {
			return ""
		}
		for _, spec := range w.source.file.Imports {
			if strings.Trim(spec.Path.Value, `"`) != other.Path() {
				continue
			}
			if spec.Name != nil {
				return spec.Name.Name
			}
			return other.Name()
		}
		known = false
		return other.Name()
	})
	return text, known
}
