// Package lint holds the rules of this repository that no general linter knows: who may
// import whom, what a go.mod may say, where printing and exiting are allowed, which packages
// owe an Example. Its test applies them to the repository itself, nested modules included.
package lint

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// rules are all rules; each returns one line per problem.
var rules = []func(*tree) []string{
	imports,
	thirdParty,
	packageNames,
	calls,
	inits,
	examples,
	goMods,
	workspace,
	ownVersions,
	ownSums,
	text,
}

// Check applies all rules to the repository at the root of fsys and returns one line per
// problem, in ascending order. The error says that the repository could not be read.
func Check(fsys fs.FS) ([]string, error) {
	t, err := load(fsys)
	if err != nil {
		return nil, err
	}
	var problems []string
	for _, rule := range rules {
		problems = append(problems, rule(t)...)
	}
	slices.Sort(problems)
	return slices.Compact(problems), nil
}

// tree is a repository, read and parsed once for all rules.
type tree struct {
	fset    *token.FileSet
	module  string            // path of the root module
	mods    map[string]*mod   // go.mod files by directory, "." is the root
	work    *mod              // go.work
	sources []*source         // Go files, generated ones left out
	texts   map[string][]byte // contents of all files
}

// source is one Go file.
type source struct {
	*ast.File
	name string // path from the root
	dir  string // its directory, "." for the root
	test bool
}

func load(fsys fs.FS) (*tree, error) {
	t := &tree{
		fset:  token.NewFileSet(),
		mods:  make(map[string]*mod),
		texts: make(map[string][]byte),
	}
	var errs []error
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.Name() == ".git" && d.IsDir():
			return fs.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		t.texts[name] = data
		errs = append(errs, t.add(name, data))
		return nil
	})
	if err := errors.Join(append(errs, err)...); err != nil {
		return nil, err
	}
	if t.work == nil || t.mods["."] == nil {
		return nil, errors.New("no go.work and go.mod at the root")
	}
	t.module = t.mods["."].module
	return t, nil
}

// add parses one file that the go command would look at.
func (t *tree) add(name string, data []byte) error {
	if ignored(name) {
		return nil
	}
	switch dir, base := path.Dir(name), path.Base(name); {
	case base == "go.mod":
		m, err := parseMod(name, data)
		t.mods[dir] = m
		return err
	case name == "go.work":
		m, err := parseMod(name, data)
		t.work = m
		return err
	case strings.HasSuffix(base, ".go"):
		f, err := parser.ParseFile(t.fset, name, data, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		if ast.IsGenerated(f) {
			return nil
		}
		t.sources = append(t.sources, &source{f, name, dir, strings.HasSuffix(base, "_test.go")})
	}
	return nil
}

// ignored reports whether the go command ignores a file for a name in its path.
func ignored(name string) bool {
	return slices.ContainsFunc(strings.Split(name, "/"), func(s string) bool {
		return s == "testdata" || s == "vendor" || strings.HasPrefix(s, ".") || strings.HasPrefix(s, "_")
	})
}

// at formats a problem at a place in a Go file.
func (t *tree) at(pos token.Pos, format string, args ...any) string {
	p := t.fset.Position(pos)
	return fmt.Sprintf("%s:%d: ", p.Filename, p.Line) + fmt.Sprintf(format, args...)
}

// own returns the directory of a package of this repository, and whether it is one.
func (t *tree) own(importPath string) (dir string, ok bool) {
	if importPath == t.module {
		return ".", true
	}
	return strings.CutPrefix(importPath, t.module+"/")
}

// modOf returns the directory of the module that holds dir.
func (t *tree) modOf(dir string) string {
	for ; dir != "."; dir = path.Dir(dir) {
		if t.mods[dir] != nil {
			return dir
		}
	}
	return dir
}

// importPath returns the path of an import.
func importPath(s *ast.ImportSpec) string {
	p, err := strconv.Unquote(s.Path.Value)
	if err != nil {
		panic(err) // the parser accepted it
	}
	return p
}

// names returns the import paths of a file by the name that the file uses for them.
func (s *source) names() map[string]string {
	names := make(map[string]string)
	for _, spec := range s.Imports {
		p := importPath(spec)
		name := path.Base(p)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		names[name] = p
	}
	return names
}

// within reports whether dir is matched by one of the patterns: "a/b" is that directory,
// "a/b/..." is that directory and all below it.
func within(dir string, patterns []string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		top, below := strings.CutSuffix(p, "/...")
		return dir == top || below && strings.HasPrefix(dir, top+"/") || p == "..."
	})
}
