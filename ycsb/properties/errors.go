package properties

import (
	"cmp"
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The kinds of faults, matched with errors.Is.
var (
	// ErrUnknown means that nobody asked for a key; most often it is misspelt.
	ErrUnknown = errors.New("unknown key")
	// ErrValue means that a value is not what its key wants, or that a required one is missing.
	ErrValue = errors.New("bad value")
	// ErrSyntax means that a file is not a .properties file.
	ErrSyntax = errors.New("bad syntax")
)

// mask is shown instead of a secret.
const mask = "***"

// maxShown is how many bytes of a value an error text shows.
const maxShown = 200

// Error is a fault of one setting, such as
//
//	workloada:12: readproportoin: unknown key (did you mean readproportion?)
//	workloada:14: recordcount=abc: not a whole number
//
// What goes before the key is left out where it is not known. The value of a
// secret is *** in the text and in Property.Value.
type Error struct {
	Property
	Suggestion string // what was probably meant; "" when nothing is near
	Err        error  // what is wrong; never nil

	empty bool // the setting was made, with the empty value
}

// Error returns file, line, key, value and what is wrong with them, in one line.
func (e *Error) Error() string {
	var b strings.Builder
	if e.File != "" {
		b.WriteString(e.File)
		if e.Line > 0 {
			b.WriteString(":" + strconv.Itoa(e.Line))
		}
		b.WriteString(": ")
	}
	if e.Key != "" || e.showsValue() || errors.Is(e.Err, ErrUnknown) {
		b.WriteString(cmp.Or(printable(e.Key), `""`))
		if e.showsValue() {
			b.WriteString("=" + printable(e.Value))
		}
		b.WriteString(": ")
	}
	if e.Err != nil {
		b.WriteString(e.Err.Error())
	}
	if e.Suggestion != "" {
		b.WriteString(" (did you mean " + e.Suggestion + "?)")
	}
	return b.String()
}

// Unwrap returns Err, which is or wraps one of ErrUnknown, ErrValue and ErrSyntax.
func (e *Error) Unwrap() error { return e.Err }

func (e *Error) showsValue() bool {
	return (e.Value != "" || e.empty) && !errors.Is(e.Err, ErrUnknown)
}

// printable returns s, quoted if it would break the line, cut if it is long.
func printable(s string) string {
	if len(s) > maxShown {
		n := maxShown
		for n > 0 && !utf8.RuneStart(s[n]) {
			n--
		}
		s = s[:n] + "…"
	}
	for _, r := range s {
		if !strconv.IsPrint(r) {
			return strconv.Quote(s)
		}
	}
	return s
}

// kindError is a text that matches one of the sentinels and what caused it.
type kindError struct {
	text  string
	kind  error
	cause error // may be nil
}

func badValue(text string) error { return &kindError{text: text, kind: ErrValue} }

func (e *kindError) Error() string { return e.text }

func (e *kindError) Unwrap() []error {
	if e.cause == nil {
		return []error{e.kind}
	}
	return []error{e.kind, e.cause}
}

// Words that betray, in a key, that its value is a secret, or, in a value, that it holds one.
var (
	secretKeys   = []string{"password", "passwd", "passphrase", "pwd", "secret", "token", "credential", "apikey", "api_key", "accesskey", "access_key"}
	addressKeys  = []string{"dsn", "uri", "url", "conn"}
	secretValues = []string{"password=", "passwd=", "passphrase=", "pwd=", "secret=", "token=", "key="}
)

// smells reports whether a setting that no tag tells anything about is likely to
// hold a secret: by its key, as part of an address, or as key=value inside a DSN.
func smells(key, value string) bool {
	if value == "" {
		return false
	}
	key, value = strings.ToLower(key), strings.ToLower(value)
	if containsAny(key, secretKeys) || containsAny(strings.ReplaceAll(value, " ", ""), secretValues) {
		return true
	}
	if _, address, ok := strings.Cut(value, "://"); ok && strings.Contains(address, "@") {
		return true
	}
	return containsAny(key, addressKeys) && strings.Contains(value, "@")
}

func containsAny(s string, words []string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}
