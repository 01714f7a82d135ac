package lint

import (
	"go/ast"
	"path"
	"strings"
)

// ban forbids functions and variables of a package of the standard library outside of some
// directories. Tests may use all of them.
type ban struct {
	pkg   string
	names []string // ending in * for all that begin so
	in    []string // patterns of directories where they are allowed
	why   string
}

var (
	programs = []string{"cmd/...", "ycsb/cli/...", "examples/..."}
	servers  = append([]string{"internal/servertest/..."}, programs...)
)

var bans = []ban{
	{"os", []string{"Exit"}, servers, "only a program exits"},
	{"os", []string{"Stdin", "Stdout", "Stderr"}, servers, "a library takes an io.Reader or io.Writer"},
	{"os", []string{"Getenv", "LookupEnv", "Environ", "ExpandEnv"}, servers, "a library does not read the environment"},
	{"fmt", []string{"Print", "Printf", "Println"}, programs, "a library takes an io.Writer"},
	{"log", []string{"Fatal*", "Panic*", "Print*"}, programs, "a library takes a *slog.Logger"},
	{"context", []string{"WithValue"}, nil, "parameters are passed as such"},
}

// calls reports the use of what bans forbid.
func calls(t *tree) (problems []string) {
	for _, s := range t.sources {
		if s.test {
			continue
		}
		names := s.names()
		ast.Inspect(s.File, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				x, ok := n.X.(*ast.Ident)
				if !ok {
					return true
				}
				for _, b := range bans {
					if names[x.Name] == b.pkg && b.forbids(n.Sel.Name) && !within(s.dir, b.in) {
						problems = append(problems, t.at(n.Pos(), "uses %s.%s: %s", b.pkg, n.Sel.Name, b.why))
					}
				}
			case *ast.CallExpr:
				if f, ok := n.Fun.(*ast.Ident); ok && (f.Name == "print" || f.Name == "println") {
					problems = append(problems, t.at(n.Pos(), "calls the built-in %s", f.Name))
				}
			}
			return true
		})
	}
	return problems
}

func (b ban) forbids(name string) bool {
	for _, n := range b.names {
		if prefix, all := strings.CutSuffix(n, "*"); name == n || all && strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// inits reports init functions that do more than call ycsb.Register.
func inits(t *tree) (problems []string) {
	register := path.Join(t.module, "ycsb")
	for _, s := range t.sources {
		names := s.names()
		for _, decl := range s.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Name.Name != "init" || f.Recv != nil {
				continue
			}
			for _, stmt := range f.Body.List {
				if !calling(stmt, names, register, "Register") {
					problems = append(problems, t.at(stmt.Pos(), "an init function may only call ycsb.Register"))
				}
			}
		}
	}
	return problems
}

// calling reports whether stmt is a call of the function called name of package pkg.
func calling(stmt ast.Stmt, names map[string]string, pkg, name string) bool {
	e, ok := stmt.(*ast.ExprStmt)
	if !ok {
		return false
	}
	call, ok := e.X.(*ast.CallExpr)
	if !ok {
		return false
	}
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || f.Sel.Name != name {
		return false
	}
	x, ok := f.X.(*ast.Ident)
	return ok && names[x.Name] == pkg
}
