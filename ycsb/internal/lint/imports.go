package lint

import (
	"fmt"
	"slices"
	"strings"
)

// layer is a part of the repository and what of the repository it may import besides itself.
type layer struct {
	part string   // pattern of directories
	may  []string // patterns of directories
}

var internals = []string{"internal/...", "ycsb/internal/..."}

// layers is the order of the house, from the ground up. The first match counts.
var layers = []layer{
	{"internal/...", internals},
	{"ycsb/internal/...", internals},
	{"ycsb/generator/...", internals},
	{"ycsb/properties/...", internals},
	{"ycsb", []string{"ycsb/generator", "ycsb/properties", "ycsb/internal/..."}},
	{"ycsb/report/...", append([]string{"ycsb", "ycsb/generator", "ycsb/properties"}, internals...)},
	{"ycsb/ycsbtest/...", append([]string{"ycsb", "ycsb/generator", "ycsb/properties"}, internals...)},
	{"ycsb/prom/...", []string{"ycsb", "ycsb/properties"}},
	{"workloads/...", append([]string{"ycsb", "ycsb/generator", "ycsb/properties"}, internals...)},
	{"drivers/...", []string{"ycsb", "ycsb/properties", "drivers/sqldb", "internal/..."}},
	{"ycsb/cli/...", []string{"ycsb/...", "workloads/...", "internal/..."}},
	{"cmd/...", []string{"..."}},
	{"examples/...", []string{"..."}},
}

// inTests is what tests may import besides what their package may.
var inTests = append([]string{
	"ycsb", "ycsb/generator", "ycsb/properties", "ycsb/ycsbtest", "workloads/...",
	"drivers/memory", "drivers/noop",
}, internals...)

// clients are the only modules of others that the root module may import: whoever imports
// the core gets them, and nothing else.
var clients = []string{
	"github.com/HdrHistogram/hdrhistogram-go",
	"github.com/magiconair/properties",
}

// imports reports imports against the order of the layers.
func imports(t *tree) (problems []string) {
	for _, s := range t.sources {
		i := slices.IndexFunc(layers, func(l layer) bool { return within(s.dir, []string{l.part}) })
		if i < 0 {
			problems = append(problems, s.name+": the layers of ycsb/internal/lint do not know this directory")
			continue
		}
		may := append([]string{itself(s.dir, layers[i].part)}, layers[i].may...)
		if s.test {
			may = append(may, inTests...)
		}
		for _, spec := range s.Imports {
			dir, ok := t.own(importPath(spec))
			if ok && !within(dir, may) {
				problems = append(problems, t.at(spec.Pos(), "imports %s; may import of this repository: %s",
					dir, strings.Join(may, ", ")))
			}
		}
	}
	return problems
}

// itself returns the pattern of the part that dir belongs to: each driver is one of its own.
func itself(dir, part string) string {
	if rest, ok := strings.CutPrefix(dir, "drivers/"); ok {
		name, _, _ := strings.Cut(rest, "/")
		return "drivers/" + name + "/..."
	}
	return part
}

// thirdParty reports modules of others in the root module.
func thirdParty(t *tree) (problems []string) {
	allowed := func(p string) bool {
		return slices.ContainsFunc(clients, func(c string) bool { return p == c || strings.HasPrefix(p, c+"/") })
	}
	for _, s := range t.sources {
		if t.modOf(s.dir) != "." {
			continue
		}
		for _, spec := range s.Imports {
			p := importPath(spec)
			first, _, _ := strings.Cut(p, "/")
			if _, own := t.own(p); !own && strings.Contains(first, ".") && !allowed(p) {
				problems = append(problems, t.at(spec.Pos(), "the root module imports %s; only %s may be",
					p, strings.Join(clients, " and ")))
			}
		}
	}
	for _, r := range t.mods["."].requires {
		if !allowed(r.path) {
			problems = append(problems, fmt.Sprintf("go.mod: the root module requires %s; only %s may be",
				r.path, strings.Join(clients, " and ")))
		}
	}
	return problems
}
