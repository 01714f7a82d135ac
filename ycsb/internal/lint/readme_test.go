package lint

import (
	"io/fs"
	"os"
	"strings"
	"testing"
)

// TestReadmeIsTested looks for each ```go fence of README.md, indentation and blank lines aside, in
// a test file: what the README shows is an Example, or part of one, that the tests run.
func TestReadmeIsTested(t *testing.T) {
	tree := os.DirFS("../../..")
	readme, err := fs.ReadFile(tree, "README.md")
	if err != nil {
		t.Fatal(err)
	}
	var tests []string
	err = fs.WalkDir(tree, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := fs.ReadFile(tree, path)
		tests = append(tests, flat(string(text)))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	fences := strings.Split(string(readme), "```go\n")[1:]
	if len(fences) < 4 {
		t.Errorf("README.md has %d fences of Go; want an embedding, a benchmark, a mix and a driver", len(fences))
	}
	for _, fence := range fences {
		code, _, _ := strings.Cut(fence, "```")
		found := false
		for _, text := range tests {
			found = found || strings.Contains(text, flat(code))
		}
		if !found {
			t.Errorf("no test file holds what README.md shows:\n%s", code)
		}
	}
}

// flat returns text without indentation and blank lines.
func flat(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}
