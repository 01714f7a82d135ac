package lint

import (
	"bytes"
	"fmt"
	"go/version"
	"path"
	"strings"
)

// newestGo is the newest go line that a go.mod may have: every importer is raised to it.
const newestGo = "1.25.0"

// outside names the modules that are not in go.work, and why.
var outside = map[string]string{}

// mod is a go.mod or go.work file.
type mod struct {
	name      string // path from the root
	module    string
	goVersion string
	toolchain string
	requires  []require
	replaces  []replace
	uses      []string // directories from the root
}

type require struct{ path, version string }

type replace struct{ path, version, dir string }

// parseMod reads what the rules need of a go.mod or go.work file.
func parseMod(name string, data []byte) (*mod, error) {
	m := &mod{name: name}
	block := "" // the verb of the block that a line is in
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		line, _, _ = strings.Cut(line, "//")
		f := strings.Fields(line)
		switch {
		case len(f) == 0:
			continue
		case f[0] == ")":
			block = ""
			continue
		case len(f) == 2 && f[1] == "(":
			block = f[0]
			continue
		case block != "":
			f = append([]string{block}, f...)
		}
		for i := range f {
			f[i] = strings.Trim(f[i], "\"`")
		}
		if err := m.directive(f); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n, err)
		}
	}
	return m, nil
}

// directive takes in one directive: a verb and its arguments.
func (m *mod) directive(f []string) error {
	verb, args := f[0], f[1:]
	switch {
	case verb == "module" && len(args) == 1:
		m.module = args[0]
	case verb == "go" && len(args) == 1:
		m.goVersion = args[0]
	case verb == "toolchain" && len(args) == 1:
		m.toolchain = args[0]
	case verb == "require" && len(args) == 2:
		m.requires = append(m.requires, require{args[0], args[1]})
	case verb == "use" && len(args) == 1:
		m.uses = append(m.uses, path.Clean(args[0]))
	case verb == "replace" && len(args) >= 3 && args[1] == "=>":
		m.replaces = append(m.replaces, replace{args[0], "", path.Clean(args[2])})
	case verb == "replace" && len(args) >= 4 && args[2] == "=>":
		m.replaces = append(m.replaces, replace{args[0], args[1], path.Clean(args[3])})
	case verb == "module", verb == "go", verb == "toolchain", verb == "require", verb == "use", verb == "replace":
		return fmt.Errorf("%s: %d arguments", verb, len(args))
	}
	return nil
}

// goMods reports go.mod files whose lines would reach their importers, or be ignored there.
func goMods(t *tree) (problems []string) {
	for dir, m := range t.mods {
		report := func(format string, args ...any) {
			problems = append(problems, m.name+": "+fmt.Sprintf(format, args...))
		}
		if want := path.Join(t.module, dir); m.module != want {
			report("module %s; want %s", m.module, want)
		}
		switch v := "go" + m.goVersion; {
		case !version.IsValid(v):
			report("no go line")
		case version.Compare(v, "go"+newestGo) > 0:
			report("go %s raises every importer; want %s or older", m.goVersion, newestGo)
		}
		if m.toolchain != "" {
			report("toolchain line")
		}
		for _, r := range m.replaces {
			report("replace of %s: go.work is the place for it", r.path)
		}
	}
	return problems
}

// workspace reports modules that go.work does not use, and uses of what is no module.
func workspace(t *tree) (problems []string) {
	used := make(map[string]bool)
	for _, dir := range t.work.uses {
		used[dir] = true
		if t.mods[dir] == nil {
			problems = append(problems, fmt.Sprintf("go.work: uses %s, which has no go.mod", dir))
		}
		if outside[dir] != "" {
			problems = append(problems, fmt.Sprintf("go.work: uses %s, which must stay outside: %s", dir, outside[dir]))
		}
	}
	for dir := range t.mods {
		if !used[dir] && outside[dir] == "" {
			problems = append(problems, fmt.Sprintf("go.work: does not use %s", dir))
		}
	}
	return problems
}

// ownVersions reports requirements of modules of this repository that differ in version, or
// that go.work does not replace. All modules are released together, at one version; until
// then only the replace line with that very version finds them.
func ownVersions(t *tree) (problems []string) {
	first := make(map[string]string) // version -> where it was seen
	for _, m := range t.mods {
		for _, r := range m.requires {
			dir, ok := t.own(r.path)
			if !ok {
				continue
			}
			if t.mods[dir] == nil {
				problems = append(problems, fmt.Sprintf("%s: requires %s, which is no module", m.name, r.path))
				continue
			}
			if first[r.version] == "" || m.name < first[r.version] {
				first[r.version] = m.name
			}
			if !t.work.hasReplace(r, dir) {
				problems = append(problems, fmt.Sprintf("go.work: lacks `replace %s %s => ./%s`, which %s needs",
					r.path, r.version, strings.TrimPrefix(dir, "."), m.name))
			}
		}
	}
	if len(first) > 1 {
		var seen []string
		for v, name := range first {
			seen = append(seen, fmt.Sprintf("%s: requires a module of this repository at %s, others at another version", name, v))
		}
		problems = append(problems, seen...)
	}
	return problems
}

func (m *mod) hasReplace(r require, dir string) bool {
	for _, p := range m.replaces {
		if p.path == r.path && p.version == r.version && p.dir == dir {
			return true
		}
	}
	return false
}

// ownSums reports hashes of modules of this repository: they are wrong after the next change.
func ownSums(t *tree) (problems []string) {
	for name, data := range t.texts {
		if base := path.Base(name); base != "go.sum" && base != "go.work.sum" {
			continue
		}
		for line := range bytes.Lines(data) {
			p, _, _ := strings.Cut(string(line), " ")
			if _, ok := t.own(p); ok {
				problems = append(problems, fmt.Sprintf("%s: has a hash of %s", name, p))
			}
		}
	}
	return problems
}
