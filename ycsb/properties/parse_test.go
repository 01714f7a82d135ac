package properties

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"
)

// javaCase is a line of what testdata/java/Table.java prints.
type javaCase struct {
	Name   string
	Latin1 bool // In was a stream of bytes, not text
	In     string
	Pairs  map[string]string
	Error  string
}

// bytes returns the file that Java read.
func (c javaCase) bytes() []byte {
	if !c.Latin1 {
		return []byte(c.In)
	}
	var b []byte
	for _, r := range c.In {
		b = append(b, byte(r))
	}
	return b
}

func readJava(t testing.TB, file string) []javaCase {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var cases []javaCase
	for s := bufio.NewScanner(f); s.Scan(); {
		var c javaCase
		if err := json.Unmarshal(s.Bytes(), &c); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		cases = append(cases, c)
	}
	return cases
}

// pairs returns the settings without where they came from.
func pairs(p *Properties) map[string]string {
	m := make(map[string]string)
	for s := range p.All() {
		m[s.Key] = s.Value
	}
	return m
}

// TestParseJava holds Parse against java.util.Properties. The tables are made by
//
//	javac -d /tmp testdata/java/Table.java
//	java -cp /tmp Table >testdata/java.jsonl
//	java -cp /tmp Table 1000 >testdata/java-random.jsonl
func TestParseJava(t *testing.T) {
	for _, file := range []string{"java.jsonl", "java-random.jsonl"} {
		for i, c := range readJava(t, file) {
			t.Run(fmt.Sprintf("%s/%d %s", file, i+1, c.Name), func(t *testing.T) {
				p, err := Parse(strings.NewReader(string(c.bytes())), "f")
				if got, want := err != nil, c.Error != ""; got != want {
					t.Fatalf("Parse(%q) = %v; want error %q", c.bytes(), err, c.Error)
				}
				if got := pairs(p); !maps.Equal(got, c.Pairs) {
					t.Errorf("Parse(%q) = %q; want %q", c.bytes(), got, c.Pairs)
				}
			})
		}
	}
}

func TestModelJava(t *testing.T) {
	for _, file := range []string{"java.jsonl", "java-random.jsonl"} {
		for _, c := range readJava(t, file) {
			got, ok := model(c.In)
			if ok != (c.Error == "") || !maps.Equal(got, c.Pairs) {
				t.Errorf("model(%q) = %q, %v; want %q", c.In, got, ok, c.Pairs)
			}
		}
	}
}

func TestParsePlaces(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"lines", "a=1\nb=2\n", "a=1 f:1, b=2 f:2"},
		{"CR", "a=1\rb=2\r", "a=1 f:1, b=2 f:2"},
		{"CRLF", "a=1\r\nb=2\r\n", "a=1 f:1, b=2 f:2"},
		{"LFCR", "a=1\n\rb=2", "a=1 f:1, b=2 f:3"},
		{"comments and blank lines", "#\n\n \na=1\n! \\\nb=2", "a=1 f:4, b=2 f:6"},
		{"continuation", "a=1\\\n ,2\\\n ,3\nb=2", "a=1,2,3 f:1, b=2 f:4"},
		{"continuation CRLF", "a=1\\\r\n ,2\r\nb=2", "a=1,2 f:1, b=2 f:3"},
		{"continuation of nothing", "\\\n\\\na=1", "a=1 f:3"},
		{"duplicate", "a=1\nb=2\na=3", "b=2 f:2, a=3 f:3"},
		{"byte order mark", "\xef\xbb\xbfa=1", "a=1 f:1"},
		{"byte order mark twice", "\xef\xbb\xbf\xef\xbb\xbfa=1", "\ufeffa=1 f:1"},
		{"byte order mark before Latin-1", "\xef\xbb\xbfa=\xe9", "a=é f:1"},
		{"Latin-1", "\xe9=\xfc\x80", "é=ü\u0080 f:1"},
		{"Latin-1 lines that would be UTF-8", "a=\xe9\nb=\xc3\xa9", "a=é f:1, b=Ã© f:2"},
		{"UTF-8", "é=ü€", "é=ü€ f:1"},
		{"key like a number and dot", "0.a=1\n1.=2", "0.a=1 f:1, 1.=2 f:2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := Parse(strings.NewReader(tt.in), "f")
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for s := range p.All() {
				got = append(got, fmt.Sprintf("%s=%s %s:%d", s.Key, s.Value, s.File, s.Line))
			}
			if got := strings.Join(got, ", "); got != tt.want {
				t.Errorf("Parse(%q) = %q; want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestParseErrors(t *testing.T) {
	malformed := `malformed escape, want \u and four hexadecimal digits`
	half := `half of a surrogate pair, want \uD800…\uDBFF followed by \uDC00…\uDFFF`
	tests := []struct{ name, in, want string }{
		{"malformed", "a=1\nb=\\u12", "f:2: " + malformed},
		{"malformed, no secret shown", "password=hunter2\\u", "f:1: " + malformed},
		{"in continuation", "a=1\n\nb=\\\n\\u12", "f:3: " + malformed},
		{"all of them", "a=\\u\nb=1\n\\uxyzw\n", "f:1: " + malformed + "\nf:3: " + malformed},
		{"high half alone", `a=\uD83D`, "f:1: " + half},
		{"high half, then text", `a=\uD83Dabcdef`, "f:1: " + half},
		{"high half twice", `a=\uD83D\uD83D\uDE00`, "f:1: " + half},
		{"high half, then malformed", `a=\uD83D\u12`, "f:1: " + half},
		{"low half alone", `a=\uDE00`, "f:1: " + half},
		{"halves apart", `a\uD83D=\uDE00`, "f:1: " + half},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := Parse(strings.NewReader(tt.in), "f")
			if p != nil || !errors.Is(err, ErrSyntax) || err.Error() != tt.want {
				t.Errorf("Parse(%q) = %v, %v; want error %q", tt.in, p, err, tt.want)
			}
		})
	}
}

func TestParseReaderError(t *testing.T) {
	for name, want := range map[string]string{"f": "f: timeout", "": "timeout"} {
		p, err := Parse(iotest.ErrReader(iotest.ErrTimeout), name)
		if p != nil || !errors.Is(err, iotest.ErrTimeout) || err.Error() != want {
			t.Errorf("Parse(broken, %q) = %v, %v; want error %q", name, p, err, want)
		}
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	a, b := file("a", "x=1\ny=2\n"), file("b", "\nx=3\n")
	bad, worse, missing := file("bad", "a=\\u"), file("worse", "\nb=\\u"), filepath.Join(dir, "none")

	p, err := Load(a, b)
	if err != nil {
		t.Fatal(err)
	}
	want := []Property{{"y", "2", a, 2}, {"x", "3", b, 2}}
	if got := slices.Collect(p.All()); !slices.Equal(got, want) {
		t.Errorf("Load(a, b) = %v; want %v", got, want)
	}

	p, err = Load()
	if err != nil || len(pairs(p)) != 0 {
		t.Errorf("Load() = %v, %v; want an empty set", p, err)
	}

	p, err = Load(a, missing, bad, worse, dir)
	if p != nil || !errors.Is(err, fs.ErrNotExist) || !errors.Is(err, ErrSyntax) {
		t.Fatalf("Load with faults = %v, %v; want all of them", p, err)
	}
	for _, part := range []string{missing, bad + ":1: ", worse + ":2: ", dir + ": is a directory"} {
		if n := strings.Count(err.Error(), part+"\n") + strings.Count(err.Error()+"\n", part); n == 0 {
			t.Errorf("Load with faults = %v; want it to tell of %s", err, part)
		}
	}
}

// FuzzParse holds Parse against a model that reads character by character, and
// what it read against what is read again after writing it.
func FuzzParse(f *testing.F) {
	for _, c := range readJava(f, "java.jsonl") {
		f.Add(c.bytes())
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := Parse(strings.NewReader(string(b)), "f")
		want, ok := model(decodeText(b))
		if ok != (err == nil) {
			t.Fatalf("Parse(%q) = %v; want ok %v", b, err, ok)
		}
		if err != nil {
			if !errors.Is(err, ErrSyntax) {
				t.Fatalf("Parse(%q) = %v; want ErrSyntax", b, err)
			}
			return
		}
		got := pairs(p)
		if !maps.Equal(got, want) {
			t.Fatalf("Parse(%q) = %q; want %q", b, got, want)
		}
		text := write(p)
		q, err := Parse(strings.NewReader(text), "f")
		if err != nil || !maps.Equal(pairs(q), got) {
			t.Fatalf("Parse(%q) = %q, %v; want %q", text, pairs(q), err, got)
		}
	})
}

// write writes settings as java.util.Properties.store does, in ASCII.
func write(p *Properties) string {
	var b strings.Builder
	for s := range p.All() {
		writeEscaped(&b, s.Key)
		b.WriteByte('=')
		writeEscaped(&b, s.Value)
		b.WriteByte('\n')
	}
	return b.String()
}

func writeEscaped(b *strings.Builder, s string) {
	for _, c := range utf16.Encode([]rune(s)) {
		switch {
		case strings.ContainsRune(` =:#!\`, rune(c)):
			fmt.Fprintf(b, `\%c`, c)
		case c < ' ' || c > '~':
			fmt.Fprintf(b, `\u%04X`, c)
		default:
			b.WriteByte(byte(c))
		}
	}
}

// model is what Parse does, as one pass over characters. It knows no places.
func model(s string) (map[string]string, bool) {
	m := make(map[string]string)
	in := []rune(s)
	var line []rune
	backslash, skipping, continued, comment := false, true, false, false
	for i := 0; i < len(in); i++ {
		c := in[i]
		eol := c == '\n' || c == '\r'
		switch {
		case comment:
			comment, skipping = !eol, true
			continue
		case skipping && (c == ' ' || c == '\t' || c == '\f'):
			continue
		case skipping && !continued && eol:
			continue
		}
		skipping, continued = false, false
		switch {
		case len(line) == 0 && (c == '#' || c == '!'):
			comment = true
		case !eol:
			line = append(line, c)
			backslash = c == '\\' && !backslash
		case len(line) == 0:
			skipping = true
		case backslash && i+1 < len(in):
			line, backslash, skipping, continued = line[:len(line)-1], false, true, true
			if c == '\r' && in[i+1] == '\n' {
				i++
			}
		default:
			if !modelLine(m, line, backslash) {
				return nil, false
			}
			line, backslash, skipping = nil, false, true
		}
	}
	if len(line) > 0 && !modelLine(m, line, backslash) {
		return nil, false
	}
	return m, true
}

// modelLine reads a logical line whose last backslash may be one too many.
func modelLine(m map[string]string, line []rune, backslash bool) bool {
	if backslash {
		line = line[:len(line)-1]
	}
	end, escaped := 0, false
	for end < len(line) && (escaped || !strings.ContainsRune("=: \t\f", line[end])) {
		escaped = line[end] == '\\' && !escaped
		end++
	}
	start, separated := end, false
	for ; start < len(line); start++ {
		separator := line[start] == '=' || line[start] == ':'
		if !strings.ContainsRune("=: \t\f", line[start]) || separator && separated {
			break
		}
		separated = separated || separator
	}
	key, ok1 := modelText(line[:end])
	value, ok2 := modelText(line[start:])
	m[key] = value
	return ok1 && ok2
}

// modelText resolves escapes.
func modelText(in []rune) (string, bool) {
	var units []uint16
	for i := 0; i < len(in); i++ {
		if in[i] != '\\' {
			units = utf16.AppendRune(units, in[i])
			continue
		}
		i++
		if in[i] != 'u' {
			c, ok := map[rune]rune{'t': '\t', 'n': '\n', 'r': '\r', 'f': '\f'}[in[i]]
			if !ok {
				c = in[i]
			}
			units = utf16.AppendRune(units, c)
			continue
		}
		var unit uint16
		for range 4 {
			i++
			if i == len(in) {
				return "", false
			}
			digit := strings.IndexRune("0123456789abcdefABCDEF", in[i])
			if digit < 0 {
				return "", false
			}
			if digit > 15 {
				digit -= 6
			}
			unit = unit<<4 | uint16(digit)
		}
		units = append(units, unit)
	}
	runes := utf16.Decode(units)
	return string(runes), slices.Equal(utf16.Encode(runes), units)
}
