package lint

import (
	"fmt"
	"go/ast"
	"path"
	"slices"
	"strings"
)

// packageNames reports packages named for nothing in particular.
func packageNames(t *tree) (problems []string) {
	for _, s := range t.sources {
		switch name := strings.TrimSuffix(s.Name.Name, "_test"); name {
		case "util", "utils", "common", "helper", "helpers", "types", "base", "misc":
			problems = append(problems, t.at(s.Name.Pos(), "package %s: a package is named for what it provides", name))
		}
	}
	return problems
}

// noExample names the packages that owe no Example, and why.
var noExample = map[string]string{}

// examples reports importable packages without any Example.
func examples(t *tree) (problems []string) {
	has := make(map[string]bool)
	for _, s := range t.sources {
		switch {
		case !s.test:
			if s.Name.Name != "main" && !slices.Contains(strings.Split(s.dir, "/"), "internal") {
				has[s.dir] = has[s.dir] || noExample[s.dir] != ""
			}
		case s.hasExample():
			has[s.dir] = true
		}
	}
	for dir, ok := range has {
		if !ok {
			problems = append(problems, fmt.Sprintf("%s: package %s has no Example", dir, path.Base(dir)))
		}
	}
	return problems
}

// hasExample reports whether a test file has an Example.
func (s *source) hasExample() bool {
	for _, decl := range s.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Example") {
			return true
		}
	}
	return false
}
