package archtest_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// runners take a function that may run more than once: see engine.DB.
var runners = []string{"Read", "Write", "WriteAlone", "WriteDerived", "WriteMany", "Get", "read", "write"}

// TestTransactions: a function given to a transaction begins anew whenever it runs. What it
// hands out through a variable around it is set there before anything else may set it.
func TestTransactions(t *testing.T) {
	seen := 0
	for _, name := range handWritten(t, ".go") {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		files := token.NewFileSet()
		tree, err := parser.ParseFile(files, name, read(t, name), parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			if fn := transaction(n); fn != nil {
				seen++
				for name, at := range leftovers(fn) {
					t.Errorf("%s: %s keeps what an earlier run left: set it first, not within a condition",
						files.Position(at), name)
				}
			}
			return true
		})
	}
	if seen < 100 {
		t.Errorf("found %d transactions: the test looks for the wrong ones", seen)
	}
}

// transaction returns the function that a call runs in a transaction, nil for any other node.
func transaction(n ast.Node) *ast.FuncLit {
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) == 0 {
		return nil
	}
	callee, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !slices.Contains(runners, callee.Sel.Name) {
		return nil
	}
	fn, ok := call.Args[len(call.Args)-1].(*ast.FuncLit)
	if !ok || len(fn.Type.Params.List) != 1 || !strings.HasSuffix(typeName(fn.Type.Params.List[0].Type), "Tx") {
		return nil
	}
	return fn
}

func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return typeName(e.X)
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// leftovers are the variables around a function whose first change in it stands within a
// condition or a loop, or needs what they were before.
func leftovers(fn *ast.FuncLit) map[string]token.Pos {
	own, fresh, left := ownNames(fn), map[string]bool{"err": true}, map[string]token.Pos{}
	for _, statement := range fn.Body.List {
		for _, name := range set(statement) {
			fresh[name] = true
		}
		ast.Inspect(statement, func(n ast.Node) bool {
			for _, target := range targets(n) {
				name := place(target)
				variable, _, _ := strings.Cut(name, ".") // "" for what a pointer leads to
				if _, known := left[name]; !known && variable != "" && !own[variable] && !fresh[variable] && !fresh[name] {
					left[name] = target.Pos()
				}
			}
			return true
		})
	}
	return left
}

// set are the places that a statement sets whatever happens, without needing what was there.
func set(s ast.Stmt) (names []string) {
	if branch, ok := s.(*ast.IfStmt); ok {
		s = branch.Init
	}
	assign, ok := s.(*ast.AssignStmt)
	if !ok || assign.Tok != token.ASSIGN {
		return nil
	}
	for _, target := range assign.Lhs {
		if _, part := target.(*ast.IndexExpr); !part && !mentions(assign.Rhs, place(target)) {
			names = append(names, place(target))
		}
	}
	return names
}

func mentions(all []ast.Expr, name string) (found bool) {
	for _, e := range all {
		ast.Inspect(e, func(n ast.Node) bool {
			if n, ok := n.(ast.Expr); ok && place(n) == name {
				found = true
			}
			_, part := n.(*ast.SelectorExpr)
			return !part
		})
	}
	return found
}

// targets are what a node changes.
func targets(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			return n.Lhs
		}
	case *ast.IncDecStmt:
		return []ast.Expr{n.X}
	}
	return nil
}

// place names a variable or a field of one: "rows", "page.Total".
func place(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return place(e.X) + "." + e.Sel.Name
	case *ast.IndexExpr:
		return place(e.X)
	}
	return ""
}

// ownNames are those that a function declares itself, wherever in it.
func ownNames(fn *ast.FuncLit) map[string]bool {
	own := map[string]bool{"_": true}
	fields := func(list *ast.FieldList) {
		if list == nil {
			return
		}
		for _, f := range list.List {
			for _, name := range f.Names {
				own[name.Name] = true
			}
		}
	}
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			fields(n.Type.Params)
			fields(n.Type.Results)
		case *ast.ValueSpec:
			for _, name := range n.Names {
				own[name.Name] = true
			}
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				for _, left := range n.Lhs {
					if id, ok := left.(*ast.Ident); ok {
						own[id.Name] = true
					}
				}
			}
		case *ast.RangeStmt:
			for _, e := range []ast.Expr{n.Key, n.Value} {
				if id, ok := e.(*ast.Ident); ok {
					own[id.Name] = true
				}
			}
		}
		return true
	})
	return own
}

// TestStrict: the databases of stores, of the desk and of the service are strict in tests,
// and none is in the program. See sqlite.Options.
func TestStrict(t *testing.T) {
	held := []string{"internal/store/", "internal/desk/", "internal/service/", "internal/account/", "internal/connection/"}
	for _, name := range handWritten(t, ".go") {
		test := strings.HasSuffix(name, "_test.go") || strings.Contains(name, "test/")
		owner := slices.ContainsFunc(held, func(folder string) bool { return strings.HasPrefix(name, folder) })
		engine := strings.HasPrefix(name, "internal/sqlite/") || strings.HasPrefix(name, "internal/store/engine/")
		if engine || strings.HasSuffix(name, "bench_test.go") { // they test what is strict, and what is not
			continue
		}
		for _, options := range strings.Split(read(t, name), "sqlite.Options"+"{")[1:] {
			switch strict := strings.HasPrefix(strings.TrimSpace(options), "Strict: true"); {
			case strict && !test:
				t.Errorf("%s: a database of the program is strict", name)
			case !strict && test && owner:
				t.Errorf("%s: the database of a test is not strict", name)
			}
		}
	}
}
