package properties

import (
	"cmp"
	"encoding"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// scalar reads and writes the values of one type.
type scalar struct {
	typ     reflect.Type
	name    string // as Spec.Type says it
	plural  string
	ordered bool // bounds make sense
	text    bool // enums make sense
	parse   func(dst reflect.Value, s string) error
	format  func(src reflect.Value) string // src is addressable
}

// units are how many decimals turn a number of each unit into nanoseconds.
var units = map[string]int{"ns": 0, "us": 3, "ms": 6, "s": 9}

// unitNames are what units are called in errors.
var unitNames = map[string]string{"ns": "nanoseconds", "us": "microseconds", "ms": "milliseconds", "s": "seconds"}

// scalarOf returns how to read and write a t; unit is that of a duration.
func scalarOf(t reflect.Type, unit string) (scalar, bool) {
	number := scalar{typ: t, ordered: true}
	switch {
	case isText(t):
		return scalar{typ: t, name: "text", plural: "texts", text: true, parse: parseText, format: formatText}, true
	case t == reflect.TypeFor[time.Duration]():
		number.name, number.plural = "duration ("+unit+")", "durations ("+unit+")"
		number.parse = func(dst reflect.Value, s string) error { return parseDuration(dst, s, unit) }
		number.format = func(src reflect.Value) string { return formatDuration(src.Int(), unit) }
		return number, true
	}
	switch t.Kind() {
	case reflect.String:
		return scalar{typ: t, name: "text", plural: "texts", text: true, parse: parseString, format: reflect.Value.String}, true
	case reflect.Bool:
		return scalar{typ: t, name: "bool", plural: "bools", parse: parseBool, format: formatBool}, true
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		number.name, number.plural, number.parse, number.format = "int", "ints", parseInt, formatInt
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		number.name, number.plural, number.parse, number.format = "int", "ints", parseUint, formatUint
	case reflect.Float32, reflect.Float64:
		number.name, number.plural, number.parse, number.format = "number", "numbers", parseFloat, formatFloat
	default:
		return scalar{}, false
	}
	return number, true
}

// compare compares two values of one ordered scalar.
func compare(a, b reflect.Value) int {
	switch {
	case a.CanInt():
		return cmp.Compare(a.Int(), b.Int())
	case a.CanUint():
		return cmp.Compare(a.Uint(), b.Uint())
	}
	return cmp.Compare(a.Float(), b.Float())
}

func parseText(dst reflect.Value, s string) error {
	err := dst.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(s))
	if err != nil {
		return &kindError{text: err.Error(), kind: ErrValue, cause: err}
	}
	return nil
}

func formatText(src reflect.Value) string {
	text, err := src.Addr().Interface().(encoding.TextMarshaler).MarshalText()
	if err != nil {
		panic(fmt.Sprintf("properties: a %s that has no text: %v", src.Type(), err))
	}
	return string(text)
}

func parseString(dst reflect.Value, s string) error {
	dst.SetString(s)
	return nil
}

func parseBool(dst reflect.Value, s string) error {
	s = strings.TrimSpace(s)
	switch {
	case strings.EqualFold(s, "true"):
		dst.SetBool(true)
	case strings.EqualFold(s, "false"):
		dst.SetBool(false)
	default:
		return badValue("not true or false")
	}
	return nil
}

func formatBool(src reflect.Value) string { return strconv.FormatBool(src.Bool()) }

var errWhole = badValue("not a whole number")

func parseInt(dst reflect.Value, s string) error {
	n, err := strconv.ParseInt(strings.TrimSpace(s), 10, dst.Type().Bits())
	switch {
	case errors.Is(err, strconv.ErrRange) && n < 0:
		return badValue("must be at least " + strconv.FormatInt(n, 10))
	case errors.Is(err, strconv.ErrRange):
		return badValue("must be at most " + strconv.FormatInt(n, 10))
	case err != nil:
		return errWhole
	}
	dst.SetInt(n)
	return nil
}

func formatInt(src reflect.Value) string { return strconv.FormatInt(src.Int(), 10) }

func parseUint(dst reflect.Value, s string) error {
	s = strings.TrimSpace(s)
	digits, negative := strings.CutPrefix(s, "-")
	if !negative {
		digits = strings.TrimPrefix(s, "+")
	}
	n, err := strconv.ParseUint(digits, 10, dst.Type().Bits())
	outside := errors.Is(err, strconv.ErrRange)
	switch {
	case err != nil && !outside:
		return errWhole
	case negative && n > 0:
		return badValue("must be at least 0")
	case outside:
		return badValue("must be at most " + strconv.FormatUint(n, 10))
	}
	dst.SetUint(n)
	return nil
}

func formatUint(src reflect.Value) string { return strconv.FormatUint(src.Uint(), 10) }

// parseFloat reads decimal numbers only: neither the hexadecimal ones that strconv
// knows, nor NaN and infinities, which would pass any comparison or none.
func parseFloat(dst reflect.Value, s string) error {
	s = strings.TrimSpace(s)
	if strings.Trim(s, "0123456789.+-eE") != "" {
		if _, err := strconv.ParseFloat(s, 64); err == nil && !strings.ContainsAny(s, "xX_") {
			return badValue("not a finite number")
		}
		return badValue("not a number")
	}
	f, err := strconv.ParseFloat(s, dst.Type().Bits())
	switch {
	case errors.Is(err, strconv.ErrRange):
		return badValue("out of the range of numbers")
	case err != nil:
		return badValue("not a number")
	case f == 0 && !isZero(s):
		return badValue("too small to be told from 0") // which often has a meaning of its own
	}
	dst.SetFloat(f)
	return nil
}

// isZero reports whether a number, or a duration in Go's syntax, has no digits but 0, its
// exponent aside.
func isZero(s string) bool {
	s, _, _ = strings.Cut(strings.ToLower(s), "e")
	return !strings.ContainsAny(s, "123456789")
}

func formatFloat(src reflect.Value) string {
	f, format := src.Float(), byte('f')
	if a := math.Abs(f); a != 0 && (a < 1e-6 || a >= 1e21) {
		format = 'g'
	}
	return strconv.FormatFloat(f, format, -1, src.Type().Bits())
}

// parseDuration reads a decimal number of units, or Go's syntax.
func parseDuration(dst reflect.Value, s, unit string) error {
	s = strings.TrimSpace(s)
	n, err := parseDecimal(s, units[unit])
	if errors.Is(err, strconv.ErrSyntax) {
		d, e := time.ParseDuration(s)
		if e != nil {
			return badValue("not a duration, want a number of " + unitNames[unit] + ", or such as 1m30s")
		}
		if d == 0 && !isZero(s) {
			return errFine
		}
		n, err = int64(d), nil
	}
	if err != nil {
		return err
	}
	dst.SetInt(n)
	return nil
}

var errFine = badValue("finer than a nanosecond")

// parseDecimal returns s, a number without exponent, times 10 to the power of decimals.
// The error of what is no such number is strconv.ErrSyntax.
func parseDecimal(s string, decimals int) (int64, error) {
	whole, fraction, _ := strings.Cut(s, ".")
	digits := strings.TrimLeft(whole, "+-") + fraction
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return 0, strconv.ErrSyntax
	}
	fraction = strings.TrimRight(fraction, "0")
	if len(fraction) > decimals {
		return 0, errFine
	}
	n, err := strconv.ParseInt(whole+fraction+strings.Repeat("0", decimals-len(fraction)), 10, 64)
	if errors.Is(err, strconv.ErrRange) {
		return 0, badValue("out of the range of durations, 292 years")
	}
	if err != nil {
		return 0, strconv.ErrSyntax
	}
	return n, nil
}

// formatDuration returns n nanoseconds as a decimal number of units.
func formatDuration(n int64, unit string) string {
	decimals := units[unit]
	s := strconv.FormatInt(n, 10)
	digits, negative := strings.CutPrefix(s, "-")
	if missing := decimals + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	whole, fraction := digits[:len(digits)-decimals], strings.TrimRight(digits[len(digits)-decimals:], "0")
	if fraction != "" {
		whole += "." + fraction
	}
	if negative {
		whole = "-" + whole
	}
	return whole
}
