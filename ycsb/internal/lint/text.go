package lint

import (
	"bytes"
	"fmt"
	"regexp"
)

// Written in two parts, or this file would break its own rule.
var (
	hosts = regexp.MustCompile(`(proxy|sum)\.golang` + `\.org|registry\.npmjs` + `\.org|deb\.debian` + `\.org`)
	paths = regexp.MustCompile(`(^|[^\w.\-})])/(work|root)` + `/`)
)

// text reports what only one machine has: names of registries' hosts and absolute paths.
func text(t *tree) (problems []string) {
	for name, data := range t.texts {
		if bytes.IndexByte(data, 0) >= 0 {
			continue // not a text
		}
		n := 0
		for line := range bytes.Lines(data) {
			n++
			if m := hosts.Find(line); m != nil {
				problems = append(problems, fmt.Sprintf("%s:%d: names the host %s; go env GOPROXY knows it", name, n, m))
			}
			if m := paths.Find(line); m != nil {
				problems = append(problems, fmt.Sprintf("%s:%d: has a path of one machine: %s", name, n, bytes.TrimSpace(line)))
			}
		}
	}
	return problems
}
