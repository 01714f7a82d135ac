package report

import (
	"strconv"
	"strings"
	"time"
)

// javaDouble returns v as Java's Double.toString does: the shortest decimal that tells v from
// its neighbours, with at least one digit after the point, and with an exponent below 10^-3
// and from 10^7 on. Of JDK 19 and later; older ones sometimes have a digit more.
func javaDouble(v float64) string {
	if v == 0 || abs(v) >= 1e-3 && abs(v) < 1e7 {
		s := strconv.FormatFloat(v, 'f', -1, 64)
		if !strings.Contains(s, ".") {
			s += ".0"
		}
		return s
	}
	s := strconv.FormatFloat(v, 'e', -1, 64)
	mantissa, exponent, ok := strings.Cut(s, "e")
	if !ok {
		return s // NaN and the infinities
	}
	if !strings.Contains(mantissa, ".") {
		// Of the decimals with one and with two digits Java takes the nearest.
		mantissa += ".0"
		two := strconv.FormatFloat(v, 'e', 1, 64)
		if back, err := strconv.ParseFloat(two, 64); err == nil && back == v {
			mantissa, exponent, _ = strings.Cut(two, "e")
		}
	}
	sign, digits := "", strings.TrimPrefix(exponent, "+")
	if strings.HasPrefix(digits, "-") {
		sign, digits = "-", digits[1:]
	}
	return mantissa + "E" + sign + strings.TrimLeft(digits, "0")
}

func abs(v float64) float64 { return max(v, -v) }

// javaDecimal returns v as a DecimalFormat of the pattern #.## does: with at most two digits
// after the point, half to even.
func javaDecimal(v float64) string {
	s := strconv.FormatFloat(v, 'f', 2, 64)
	s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	if s == "-0" {
		return s[1:]
	}
	return s
}

// ordinal returns a percentile as the labels of YCSB have it: 1st, 11th, 99.9.
func ordinal(p float64) string {
	n := int64(p)
	if float64(n) != p {
		return javaDouble(p)
	}
	s := strconv.FormatInt(n, 10)
	if teens := n % 100; teens >= 11 && teens <= 13 {
		return s + "th"
	}
	switch n % 10 {
	case 1:
		return s + "st"
	case 2:
		return s + "nd"
	case 3:
		return s + "rd"
	}
	return s + "th"
}

// significant returns v with three significant digits, or all those before the point.
func significant(v float64) string {
	_, exponent, ok := strings.Cut(strconv.FormatFloat(v, 'e', 2, 64), "e")
	if !ok {
		return "-" // no number
	}
	e, err := strconv.Atoi(exponent)
	switch {
	case err != nil || v == 0:
		return "0"
	case e < -3 || e > 14:
		return strconv.FormatFloat(v, 'g', 3, 64)
	}
	return strconv.FormatFloat(v, 'f', max(2-e, 0), 64)
}

// short returns a latency with three significant digits and the unit that suits it.
func short(d time.Duration) string {
	if d < time.Microsecond {
		return strconv.FormatInt(int64(d), 10) + "ns"
	}
	for _, u := range []struct {
		name  string
		unit  time.Duration
		limit float64
	}{{"µs", time.Microsecond, 999.5}, {"ms", time.Millisecond, 999.5}, {"s", time.Second, 9999.5}} {
		if v := float64(d) / float64(u.unit); v < u.limit {
			return significant(v) + u.name
		}
	}
	return significant(d.Hours()) + "h"
}

// long returns a time that may be of hours.
func long(d time.Duration) string {
	if d < 1000*time.Second {
		return short(d)
	}
	return d.Round(time.Second).String()
}
