package properties

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/magiconair/properties"
)

// Parse reads settings in the syntax of Java's .properties files. The filename is
// for the texts of errors only and may be "". Bytes that are not UTF-8 are
// taken for ISO 8859-1; a byte order mark at the start is dropped.
//
// An error joins an *Error, matching ErrSyntax, for every line that is wrong; or it
// wraps what r returned.
func Parse(r io.Reader, filename string) (*Properties, error) {
	b, err := io.ReadAll(r)
	if err != nil {
		return nil, subject(filename, err)
	}
	return parse(b, filename)
}

// Load reads files one after the other; a later one wins. Without files it returns
// an empty set. An error joins the faults of all files: those of Parse, and the
// *fs.PathError of a file that cannot be read.
func Load(files ...string) (*Properties, error) {
	p := New()
	var errs []error
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		q, err := parse(b, file)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		p.Merge(q)
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	return p, nil
}

// parse reads the content of a file. The magiconair library takes keys and values apart
// and resolves short escapes, on lines that it cannot read otherwise than Java:
// each is whole, its \uxxxx are resolved, and its key begins with its number and a
// dot, so that none is empty, none looks like a comment, and doubles stay apart.
func parse(b []byte, filename string) (*Properties, error) {
	var text strings.Builder
	var errs []error
	lines := logicalLines(decodeText(b))
	for i, l := range lines {
		resolved, err := resolve(l.text)
		if err != nil {
			errs = append(errs, &Error{Property: Property{File: filename, Line: l.number}, Err: err})
			continue
		}
		text.WriteString(strconv.Itoa(i) + "." + resolved + "\n")
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	loader := properties.Loader{Encoding: properties.UTF8, DisableExpansion: true}
	read, err := loader.LoadBytes([]byte(text.String()))
	if err != nil {
		return nil, subject(filename, &kindError{text: err.Error(), kind: ErrSyntax, cause: err})
	}
	p := New()
	for i, numbered := range read.Keys() {
		_, key, _ := strings.Cut(numbered, ".")
		value, _ := read.Get(numbered)
		p.SetFrom(key, value, filename, lines[i].number)
	}
	return p, nil
}

// subject puts the name of a file before an error, if it has one.
func subject(filename string, err error) error {
	if filename == "" {
		return err
	}
	return fmt.Errorf("%s: %w", filename, err)
}

// decodeText returns the text of b: UTF-8 where that is possible, else ISO 8859-1.
func decodeText(b []byte) string {
	b = bytes.TrimPrefix(b, []byte("\uFEFF"))
	if utf8.Valid(b) {
		return string(b)
	}
	runes := make([]rune, len(b))
	for i, c := range b {
		runes[i] = rune(c)
	}
	return string(runes)
}

// line is a logical line: what is left of natural lines when comments, blank lines
// and line ends, escaped or not, are gone, together with blanks at their start.
type line struct {
	number int // of the natural line on which it begins
	text   string
}

// logicalLines splits a text as java.util.Properties does. In particular, a natural
// line that follows an escaped line end is a comment if nothing precedes it, and a
// blank one ends the logical line; and an odd backslash at the end of the text
// counts for nothing, though it makes a line where nothing else does.
func logicalLines(s string) []line {
	var lines []line
	var text strings.Builder
	begin, end := 0, 0
	for number := 1; len(s) > 0; number++ {
		var natural string
		natural, s, end = cutLine(s)
		natural = strings.TrimLeft(natural, " \t\f")
		if text.Len() == 0 {
			if natural == "" || natural[0] == '#' || natural[0] == '!' {
				continue
			}
			begin = number
		}
		kept, escaped := cutBackslash(natural)
		text.WriteString(kept)
		if escaped && (s != "" || end > 1) {
			continue
		}
		lines = append(lines, line{begin, text.String()})
		text.Reset()
	}
	if text.Len() > 0 {
		lines = append(lines, line{begin, text.String()})
	}
	return lines
}

// cutLine cuts s after the first line: LF, CR or CRLF end it. n is how many bytes
// the line end has, 0 at the end of the text.
func cutLine(s string) (line, rest string, n int) {
	i := strings.IndexAny(s, "\r\n")
	if i < 0 {
		return s, "", 0
	}
	n = 1
	if strings.HasPrefix(s[i:], "\r\n") {
		n = 2
	}
	return s[:i], s[i+n:], n
}

// cutBackslash cuts off the backslash that escapes the end of a line: the last of an odd number.
func cutBackslash(s string) (string, bool) {
	n := len(s) - len(strings.TrimRight(s, `\`))
	if n%2 == 0 {
		return s, false
	}
	return s[:len(s)-1], true
}

// resolve replaces \uxxxx in a logical line by the character, itself escaped where
// it means something. Two that are a surrogate pair are one character.
func resolve(s string) (string, error) {
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '\\')
		if i < 0 || i+1 == len(s) {
			b.WriteString(s)
			return b.String(), nil
		}
		b.WriteString(s[:i])
		s = s[i:]
		if s[1] != 'u' {
			b.WriteString(s[:2])
			s = s[2:]
			continue
		}
		r, n, err := unescape(s)
		if err != nil {
			return "", err
		}
		b.WriteString(escape(r))
		s = s[n:]
	}
}

// unescape returns the character at the start of s, which begins with \u, and its length.
// Errors do not quote s, which may be part of a secret.
func unescape(s string) (r rune, n int, err error) {
	high, ok := codeUnit(s)
	if !ok {
		return 0, 0, &kindError{text: `malformed escape, want \u and four hexadecimal digits`, kind: ErrSyntax}
	}
	if !utf16.IsSurrogate(high) {
		return high, 6, nil
	}
	if low, ok := codeUnit(s[6:]); ok {
		if r := utf16.DecodeRune(high, low); r != utf8.RuneError {
			return r, 12, nil
		}
	}
	return 0, 0, &kindError{text: `half of a surrogate pair, want \uD800…\uDBFF followed by \uDC00…\uDFFF`, kind: ErrSyntax}
}

// codeUnit reads \uxxxx at the start of s.
func codeUnit(s string) (rune, bool) {
	if len(s) < 6 || s[:2] != `\u` {
		return 0, false
	}
	n, err := strconv.ParseUint(s[2:6], 16, 16)
	return rune(n), err == nil
}

// escape returns r as it is written in a line so that it only stands for itself.
func escape(r rune) string {
	switch r {
	case '\t':
		return `\t`
	case '\n':
		return `\n`
	case '\r':
		return `\r`
	case '\f':
		return `\f`
	case ' ', '=', ':', '\\':
		return `\` + string(r)
	}
	return string(r)
}
